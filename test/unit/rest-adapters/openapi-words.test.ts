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
/** What cannot be written down in a document: a picture, a PDF. */
const bytes = /^(?:image|application\/pdf)/

/** Members of a schema that do not say what they mean; what refers to a schema says it there. */
function silentMembers(schema: unknown, place: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema as Readonly<Record<string, object>>
  const inner = [items, additionalProperties, ...(anyOf as readonly unknown[])].flatMap((each) => silentMembers(each, place))
  const members = Object.entries(properties).flatMap(([name, member]) => [
    ...('description' in member || '$ref' in member ? [] : [`${place}.${name}`]),
    ...silentMembers(member, `${place}.${name}`),
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

  it('has an example of every request and of every answer that can be written down, and each is as its schema says', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const written = contents.filter(({ type }) => !bytes.test(type))
    expect(written.filter(({ example }) => example === undefined).map(({ place }) => place)).toEqual([])
    const check = (place: string, schema: object, value: unknown): void => {
      ajv.validate({ ...schema, components }, value)
      expect([place, ajv.errors ?? []]).toEqual([place, []])
    }
    for (const { example, schema, type, place } of written) {
      check(place, schema, example)
      if (type !== 'application/x-ndjson') continue
      // a text, in which the description says what a line is
      const [line] = /#\/components\/schemas\/\w+/.exec('description' in schema ? String(schema.description) : '') ?? []
      for (const each of String(example).trim().split('\n')) check(place, { $ref: line }, JSON.parse(each))
    }
  })

  it('has an example of every required parameter, and asks for no other by one', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const { operationId, parameters } of operations)
      for (const { name, required, schema, example } of parameters) {
        expect([operationId, name, example !== undefined]).toEqual([operationId, name, required])
        if (required) expect([operationId, name, ajv.validate({ ...schema, components }, example)]).toEqual([operationId, name, true])
      }
  })

  it('shows of a refused request a place that it has', () => {
    for (const { operationId, parameters, responses, requestBody } of operations) {
      const [entry] =
        z
          .object({ detail: z.array(z.object({ type: z.string(), loc: z.array(z.string()) })) })
          .safeParse(responses[422]?.content['application/json']?.example).data?.detail ?? []
      if (responses[422] === undefined || entry?.type === 'extra_forbidden') continue
      const [where, name] = entry?.loc ?? []
      const places = [
        ...parameters.map((each) => [each.in, each.name]),
        ...(requestBody ? [['body', name]] : []),
        ['header', 'X-Service-API-Key'],
      ]
      expect([operationId, places]).toEqual([operationId, expect.arrayContaining([[where, name]])])
    }
  })

  it('describes every parameter and every member', () => {
    const silent = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => description === '').map(({ name }) => `${operationId} ${name}`),
    )
    expect([...silent, ...Object.entries(components.schemas).flatMap(([name, schema]) => silentMembers(schema, name))]).toEqual([])
  })
})

it('the examples of content are of the demonstration’s magazine: what is tried with them is there', () => {
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

it('words on a member that there is not are a mistake', () => {
  const schemas = { Thing: { type: 'object', properties: { id: { type: 'string' } } } }
  expect(() => describedSchemas(schemas, { members: { Thing: { name: 'its name' } }, parameters: {}, examples: {} })).toThrow('Thing.name')
  expect(describedSchemas(schemas, { members: { Thing: { id: 'its id' } }, parameters: {}, examples: {} })).toMatchObject({
    Thing: { properties: { id: { type: 'string', description: 'its id' } } },
  })
})
