import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialsFor, isSatisfied } from '../../../web/reference/access/credentials.ts'
import type { OpenApi, Parameter, Schema, SecurityScheme } from '../../../web/reference/interface/openapi.ts'
import { groupsOf, isFound, type Operation } from '../../../web/reference/interface/operations.ts'
import { exampleOf, sampleOf } from '../../../web/reference/interface/sample.ts'
import { insideOf, rulesOf, typeOf } from '../../../web/reference/interface/shape.ts'
import { curlOf } from '../../../web/reference/trying/curl.ts'
import { type FormInput, initialInput } from '../../../web/reference/trying/form-input.ts'
import { indented } from '../../../web/reference/trying/indented.ts'
import { refusalsOf } from '../../../web/reference/trying/refusals.ts'
import { requestOf } from '../../../web/reference/trying/request.ts'
import { type Answer, IncompleteResponse, send } from '../../../web/reference/trying/send.ts'
import { violationsOf } from '../../../web/reference/trying/violations.ts'

const origin = 'http://127.0.0.1:4001'

const document: OpenApi = {
  info: { title: 'Things' },
  tags: [{ name: 'Things', description: 'what there is' }],
  paths: {
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]+$' }, example: 'chair' }],
      get: {
        operationId: 'getThing',
        tags: ['Things'],
        summary: 'One thing',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 10 } },
          { name: 'colours', in: 'query', schema: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'OK', content: { 'application/json': {} } } },
        security: [{ token: [] }, { key: [] }],
      },
    },
    '/things': {
      post: {
        tags: ['Things'],
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
      },
    },
    '//elsewhere.example/{id}': { get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] } },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', maxLength: 5 },
          weight: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
          kind: { enum: ['wood', 'iron'] },
        },
      },
      Circle: { $ref: '#/components/schemas/Circle' },
      Choice: { anyOf: [{ $ref: '#/components/schemas/Choice' }, { type: 'null' }] },
      Alternative: { oneOf: [{ $ref: '#/components/schemas/Alternative' }, { type: 'string' }] },
      Lists: { type: 'array', items: { $ref: '#/components/schemas/Lists' } },
    },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
    },
  },
}

const operations = groupsOf(document).flatMap((group) => group.operations)
const operationAt = (method: string, path: string): Operation => {
  const match = operations.find((each) => each.method === method && each.path === path)
  if (match === undefined) throw new Error(`no ${method} ${path}`)
  return match
}
const getThing = operationAt('GET', '/things/{id}')
const makeThing = operationAt('POST', '/things')
const withParameters = (parameters: FormInput['parameters']): FormInput => ({ ...initialInput(document, getThing), parameters })
const requestFor = (form: FormInput, secrets = {}) =>
  requestOf(document, getThing, form, { origin, credentials: credentialsFor(document, getThing.security, secrets) })

const credentialOf = (key: SecurityScheme) => credentialsFor({ ...document, components: { securitySchemes: { key } } }, [{ key: [] }], {})

describe('the operations of a document', () => {
  it('are grouped by tag with the parameters of their path, and by method and path if the document has no tag', () => {
    expect(groupsOf(document).map(({ tag, operations: of }) => [tag, of.map(({ place }) => place)])).toEqual([
      ['Things', ['Things/getThing', 'Things/post__things']],
      ['default', ['default/get__elsewhere_example_id_']],
    ])
    expect(getThing.parameters.map(({ name }) => name)).toEqual(['id', 'limit', 'colours', 'X-Trace'])
  })

  it('are shown despite invalid names, without parameters in unknown locations', () => {
    const parameters = [{ name: 'id', in: 'body' }] as unknown as readonly Parameter[]
    const responses = { 200: { $ref: '#/components/responses/100%' } }
    const odd: OpenApi = { ...document, paths: { '/odd': { get: { operationId: 'half \ud83d', parameters, responses } } } }
    expect(groupsOf(odd)[0]?.operations).toMatchObject([{ place: 'default/half%20%EF%BF%BD', parameters: [], responses: [] }])
  })

  it('are found by words in any of their texts', () => {
    expect(['one thing', 'GET {id}', 'things one'].map((words) => isFound(getThing, words))).toEqual([true, true, true])
    expect(isFound(getThing, 'another thing')).toBe(false)
  })
})

describe('a schema', () => {
  it('has a type in one line, however the document allows null', () => {
    const types: readonly (readonly [Schema, string])[] = [
      [{ type: ['string', 'null'], format: 'date' }, 'string <date> or null'],
      [{ anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] }, 'Thing or null'],
      [{ type: 'string', nullable: true }, 'string or null'],
      [{ type: 'array', items: { $ref: '#/components/schemas/Thing' } }, 'array of Thing'],
      [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer'],
      [{ not: {} }, 'never'],
    ]
    for (const [schema, type] of types) expect(typeOf(document, schema)).toBe(type)
    expect(rulesOf({ type: 'integer', minimum: 0, default: 5, enum: [1, 5] })).toEqual(['enum: 1, 5', 'default: 5', 'minimum: 0'])
  })

  it('has a finite sample when it refers to itself', () => {
    for (const name of ['Circle', 'Choice', 'Alternative', 'Lists']) {
      const schema = { $ref: `#/components/schemas/${name}` }
      expect(JSON.stringify([sampleOf(document, schema), violationsOf(document, schema, 5, ''), insideOf(document, schema)])).toBeTruthy()
    }
    const sample = sampleOf(document, { $ref: '#/components/schemas/Thing' })
    expect(sample).toEqual({ name: 'string', weight: 0, kind: 'wood', parts: [] })
    expect(exampleOf(document, { examples: { first: { value: 'sample text' } }, schema: { type: 'string' } })).toBe('sample text')
  })

  it('has a sample of limited length when all schemas refer to each other', () => {
    const names = Array.from({ length: 12 }, (_, at) => `Schema${at}`)
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]))
    const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]))
    const sample = JSON.stringify(sampleOf({ ...document, components: { schemas } }, { $ref: '#/components/schemas/Schema0' }))
    expect(sample).toContain('{"Schema1":{"Schema2":')
    expect(sample.length).toBeLessThan(100_000)
  })

  it('has its literal name when its reference is invalid', () => {
    expect(typeOf(document, { $ref: '#/components/schemas/100%' })).toBe('100%')
  })

  it('reports violations of a value by the name of the field', () => {
    const thing: Schema = { $ref: '#/components/schemas/Thing' }
    expect(violationsOf(document, thing, { name: 'chair', weight: null, parts: [{ name: 'leg' }] }, '')).toEqual([])
    expect(violationsOf(document, thing, { weight: -1, parts: [{ name: 'a long name' }], kind: 'paper', more: 1 }, '')).toEqual([
      { field: 'name', rule: 'required' },
      { field: 'weight', rule: 'minimum', allowed: 0 },
      { field: 'parts[0].name', rule: 'maxLength', allowed: 5 },
      { field: 'kind', rule: 'enum', allowed: 'wood, iron' },
      { field: 'more', rule: 'unknown' },
    ])
    expect(violationsOf(document, thing, 'chair', 'body')).toEqual([{ field: 'body', rule: 'type', allowed: 'object' }])
  })
})

describe('a request from the reference page', () => {
  it('contains the entered values, each where the document states', () => {
    const form = withParameters({ 'path id': 'a/b c', 'query limit': '3', 'query colours': 'red\nblue', 'header X-Trace': 'mine' })
    const { url, headers } = requestFor(form)
    expect(url.href).toBe(`${origin}/things/a%2Fb%20c?limit=3&colours=red&colours=blue`)
    expect(headers).toEqual([
      ['Accept', 'application/json'],
      ['X-Trace', 'mine'],
    ])
  })

  it('stays on this origin, whatever path the document has', () => {
    const elsewhere = operationAt('GET', '//elsewhere.example/{id}')
    const { url } = requestOf(document, elsewhere, initialInput(document, elsewhere), { origin, credentials: [] })
    expect(url.origin).toBe(origin)
  })

  it('does not reach another operation by dots in its path', () => {
    for (const dots of ['.', '..'])
      expect(refusalsOf(document, getThing, withParameters({ 'path id': dots }))).toMatchObject([
        { field: 'id', rule: 'dots', isFinal: true },
      ])
    expect(requestFor(withParameters({ 'path id': '../secrets?all#' })).url.href).toBe(`${origin}/things/..%2Fsecrets%3Fall%23`)
    expect(requestFor(withParameters({ 'path id': 'half \ud83d' })).url.pathname).toBe('/things/half%20%EF%BF%BD')
  })

  it('is refused with the names of the fields, without checks that only the service can do', () => {
    const wrong = withParameters({ 'path id': '', 'query limit': '11', 'query colours': 'red\ngreen', 'header X-Trace': 'a\nb' })
    expect(refusalsOf(document, getThing, wrong).map(({ field, rule, isFinal }) => [field, rule, isFinal])).toEqual([
      ['id', 'required', true],
      ['limit', 'maximum', false],
      ['colours[1]', 'enum', false],
      ['X-Trace', 'header', true],
    ])
    expect(refusalsOf(document, getThing, withParameters({ 'path id': 'chair', 'query limit': 'many' }))).toMatchObject([
      { field: 'limit', rule: 'type', allowed: 'integer' },
    ])
    const initial = initialInput(document, makeThing)
    const texts = { 'application/json': '{"name": "chair",}' }
    expect(refusalsOf(document, makeThing, { ...initial, texts })).toMatchObject([{ field: 'body', rule: 'json' }])
    expect(refusalsOf(document, getThing, initialInput(document, getThing))).toEqual([])
  })

  it('uses the first complete set of credentials', () => {
    expect(isSatisfied(getThing.security, {})).toBe(false)
    expect(credentialsFor(document, getThing.security, { key: 'k' })).toMatchObject([{ in: 'query', name: 'api_key', secret: 'k' }])
    expect(credentialsFor(document, getThing.security, {})).toMatchObject([{ name: 'Authorization', secret: undefined }])
  })

  it('is shown as a command that cannot execute other text and contains no secret', () => {
    const form = withParameters({ 'path id': "o'clock; rm $HOME" })
    expect(curlOf(requestFor(form, { token: 'the-secret' }))).toBe(
      [
        `curl -X GET '${origin}/things/o'\\''clock%3B%20rm%20%24HOME'`,
        `-H 'Accept: application/json'`,
        '-H "Authorization: Bearer $TOKEN"',
      ].join(' \\\n  '),
    )
    const withKey = curlOf(requestFor(form, { key: 'the-secret' }))
    expect(withKey).toContain('"?api_key=$KEY"')
    expect(withKey).not.toContain('the-secret')
    const hostile = credentialOf({ type: 'apiKey', in: 'header', name: 'X-$(id)"`id`' })
    expect(curlOf({ ...requestFor(form), credentials: hostile })).toContain('-H "X-\\$(id)\\"\\`id\\`: $KEY"')
  })
})

describe('a response', () => {
  let server: Server
  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      if (url === '/unavailable') return response.destroy()
      response.writeHead(200, { 'Content-Type': 'Application/JSON; charset=utf-8', 'Content-Length': url === '/cut' ? 9 : 2 })
      if (url === '/cut') response.write('{}', () => response.destroy())
      else response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => server.close())

  const answerAt = (path: string): Promise<Answer> => {
    const { port } = server.address() as AddressInfo
    const url = new URL(path, `http://127.0.0.1:${port}`)
    return send({ method: 'GET', url, headers: [], credentials: [], body: undefined }, AbortSignal.timeout(10_000))
  }

  it('is recognised by its media type, however the service writes it', async () => {
    expect(await answerAt('/')).toMatchObject({ status: 200, mediaType: 'application/json' })
  })

  it('that is cut off is distinguished from a failed connection', async () => {
    await expect(answerAt('/cut')).rejects.toBeInstanceOf(IncompleteResponse)
    await expect(answerAt('/unavailable')).rejects.not.toBeInstanceOf(IncompleteResponse)
  })
})

describe('formatted JSON', () => {
  it('keeps numbers exactly as they were written', () => {
    expect(indented('{"a":12345678901234567890,"b":[],"c":["x, \\"y\\": {",{"d":null}],"a":{ }}')).toBe(
      `{
  "a": 12345678901234567890,
  "b": [],
  "c": [
    "x, \\"y\\": {",
    {
      "d": null
    }
  ],
  "a": {}
}`,
    )
  })

  it('is formatted only as far as it is visible', () => {
    expect(indented(`[${'1,'.repeat(5_000_000)}1]`, 20)).toBe(`[${'\n  1,'.repeat(4)}\n  1`.slice(0, 20))
  })

  it('is the same JSON for every example in the documents of this platform', () => {
    for (const name of ['verification', 'content']) {
      const text = readFileSync(join(import.meta.dirname, `../../../schema/rest/${name}.openapi.json`), 'utf8')
      expect(JSON.parse(indented(text))).toEqual(JSON.parse(text))
    }
  })
})
