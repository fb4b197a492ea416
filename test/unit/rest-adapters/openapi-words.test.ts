import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { magazine } from '../../../demonstration/magazine/magazine.ts'
import { componentNames } from '../../../foundation/process/build-info.ts'
import { demonstrationTenant } from '../../../platform/demonstration/magazine.ts'
import { describedSchemas } from '../../../rest-adapters/documentation/words.ts'
import { idFor } from '../../../subgraphs/content/tree/node-rules.ts'
import { printed } from '../../support/gateway/printed-graph.ts'

const Schema = z.record(z.string(), z.unknown())
const Content = z.record(z.string(), z.object({ schema: Schema, example: z.unknown().optional() })).default({})
const Operation = z.object({
  operationId: z.string(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean(),
        description: z.string().default(''),
        schema: Schema,
        example: z.string().optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content })),
})
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
})
/** Content without an example: images and PDF files. */
const bytes = /^(?:image|application\/pdf)/

/** Returns the members of a schema without a description; a reference is described where it points. */
function undescribedMembers(schema: unknown, place: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema as Readonly<Record<string, object>>
  const inner = [items, additionalProperties, ...(anyOf as readonly unknown[])].flatMap((each) => undescribedMembers(each, place))
  const members = Object.entries(properties).flatMap(([name, member]) => [
    ...('description' in member || '$ref' in member ? [] : [`${place}.${name}`]),
    ...undescribedMembers(member, `${place}.${name}`),
  ])
  return [...members, ...inner]
}

describe.each(componentNames)('the OpenAPI document of %s', (component) => {
  const { paths, components } = Document.parse(JSON.parse(printed(`rest/${component}.openapi.json`)))
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const contents = operations.flatMap(({ operationId, requestBody, responses }) => [
    ...Object.entries(requestBody?.content ?? {}).map(([type, media]) => ({ ...media, type, place: `${operationId} request ${type}` })),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content).map(([type, media]) => ({ ...media, type, place: `${operationId} ${status} ${type}` })),
    ),
  ])

  it('has a valid example of every request and of every response in text', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const textual = contents.filter(({ type }) => !bytes.test(type))
    expect(textual.filter(({ example }) => example === undefined).map(({ place }) => place)).toEqual([])
    const check = (place: string, schema: object, value: unknown): void => {
      ajv.validate({ ...schema, components }, value)
      expect([place, ajv.errors ?? []]).toEqual([place, []])
    }
    for (const { example, schema, type, place } of textual) {
      check(place, schema, example)
      if (type !== 'application/x-ndjson') continue
      // text; the description names the schema of a line
      const [line] = /#\/components\/schemas\/\w+/.exec('description' in schema ? String(schema.description) : '') ?? []
      for (const each of String(example).trim().split('\n')) check(place, { $ref: line }, JSON.parse(each))
    }
  })

  it('has an example of every required parameter, and of no optional one', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const { operationId, parameters } of operations)
      for (const { name, required, schema, example } of parameters) {
        expect([operationId, name, example !== undefined]).toEqual([operationId, name, required])
        if (required) expect([operationId, name, ajv.validate({ ...schema, components }, example)]).toEqual([operationId, name, true])
      }
  })

  it('shows an existing location in the example of a refused request', () => {
    for (const { operationId, parameters, responses, requestBody } of operations) {
      const [entry] =
        z
          .object({ detail: z.array(z.object({ type: z.string(), loc: z.array(z.string()) })) })
          .safeParse(responses[422]?.content['application/json']?.example).data?.detail ?? []
      if (responses[422] === undefined || entry?.type === 'extra_forbidden') continue
      const [location, name] = entry?.loc ?? []
      const places = [
        ...parameters.map((each) => [each.in, each.name]),
        ...(requestBody ? [['body', name]] : []),
        ['header', 'X-Service-API-Key'],
      ]
      expect([operationId, places]).toEqual([operationId, expect.arrayContaining([[location, name]])])
    }
  })

  it('describes every parameter and every member', () => {
    const undescribed = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => description === '').map(({ name }) => `${operationId} ${name}`),
    )
    expect([...undescribed, ...Object.entries(components.schemas).flatMap(([name, schema]) => undescribedMembers(schema, name))]).toEqual(
      [],
    )
  })
})

it('the content examples name nodes of the demonstration magazine, so that trying them succeeds', () => {
  const { paths } = Document.parse(JSON.parse(printed('rest/content.openapi.json')))
  const [root] = magazine()
  const id = idFor(demonstrationTenant, 'external', root?.externalId ?? '')
  const nodes = Object.values(paths).flatMap(({ get }) => get?.parameters.flatMap(({ example }) => example ?? []) ?? [])
  expect(new Set(nodes)).toEqual(new Set([id]))
  expect(paths['/api/v1/admin/nodes']?.post?.requestBody?.content['application/json']?.example).toMatchObject({ parent_id: id })
  const { 'application/json': inJson, 'application/x-ndjson': inLines } = paths['/api/v1/admin/import']?.post?.requestBody?.content ?? {}
  expect(inJson?.example).toMatchObject({ nodes: [{ parent_id: id }, { parent_id: 'library' }] })
  expect(JSON.parse(String(inLines?.example).split('\n', 1).join())).toMatchObject({ parent_id: id })
})

it('a description of a missing member is an error', () => {
  const schemas = { Thing: { type: 'object', properties: { id: { type: 'string' } } } }
  expect(() => describedSchemas(schemas, { members: { Thing: { name: 'its name' } }, parameters: {}, examples: {} })).toThrow('Thing.name')
  expect(describedSchemas(schemas, { members: { Thing: { id: 'its id' } }, parameters: {}, examples: {} })).toMatchObject({
    Thing: { properties: { id: { type: 'string', description: 'its id' } } },
  })
})
