import { createHash, randomUUID } from 'node:crypto'
import { rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SubscribePayload } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { parseConfig } from '../../../../foundation/config/config.ts'
import { loadOperationManifest, operationManifest } from '../../../../gateway/pipeline/operation-manifest.ts'
import { type RunningGateway, startGateway } from '../../../support/gateway/town.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const house = 'query House($id: ID!) { house(id: $id) { number } }'
const sold = 'subscription { houseSold(times: 1) { id } }'
const apollos = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [house, sold].map((body) => ({ id: sha256(body), name: 'Any', type: 'query', body })),
}
const relays = { 'relay-house': house, [sha256(sold)]: sold }

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
}
const post = async (url: string, body: object, headers = {}): Promise<readonly [status: number, data: unknown, code: unknown]> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const { data, errors }: Answer = JSON.parse(await response.text())
  return [response.status, data, errors?.[0]?.extensions.code]
}
const variables = { id: '7' }
const houseResult = [200, { house: { number: 7 } }, undefined]
const persistedQuery = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } })

/** Returns the first result or error of an operation over graphql-ws. */
async function overSocket(running: RunningGateway, payload: object): Promise<unknown> {
  const client = createClient({ url: running.socket, webSocketImpl: WebSocket, retryAttempts: 0 })
  try {
    // the client library does not know documentId, but sends unknown members
    const first = await client.iterate({ query: '', ...payload } as SubscribePayload).next()
    return first.value
  } catch (error) {
    return error
  } finally {
    await client.dispose()
  }
}

describe.each([
  ['Apollo', apollos, sha256(house)],
  ['Relay', relays, 'relay-house'],
])('a manifest of %s', (_, json, id) => {
  let running: RunningGateway
  let strict: RunningGateway
  beforeAll(async () => {
    const manifest = operationManifest(json)
    running = await startGateway('in process', { registeredOperations: { manifest: () => manifest, only: false } })
    strict = await startGateway('in process', { registeredOperations: { manifest: () => manifest, only: true } })
  })
  afterAll(() => Promise.all([running[Symbol.asyncDispose](), strict[Symbol.asyncDispose]()]))

  it('runs operations named by documentId, by POST, by GET and over WebSocket', async () => {
    for (const { graphql } of [running, strict]) {
      expect(await post(graphql, { documentId: id, variables })).toEqual(houseResult)
      const query = new URLSearchParams({ documentId: id, variables: JSON.stringify(variables) })
      const answer = await fetch(`${graphql}?${query}`, { headers: { 'apollo-require-preflight': '1' } })
      expect([answer.status, await answer.json()]).toEqual([200, { data: { house: { number: 7 } } }])
    }
    expect(await overSocket(strict, { documentId: id, variables })).toEqual({ data: { house: { number: 7 } } })
    expect(await overSocket(strict, { documentId: `sha256:${sha256(sold)}` })).toEqual({ data: { houseSold: { id: '1' } } })
    const stream = { accept: 'text/event-stream' }
    const answer = await fetch(strict.graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...stream },
      body: JSON.stringify({ documentId: sha256(sold) }),
    })
    expect(await answer.text()).toContain('"houseSold":{"id":"1"}')
  })

  it('runs operations named by the hash that Apollo clients send', async () => {
    for (const { graphql } of [running, strict])
      expect((await post(graphql, { extensions: persistedQuery(sold) }, { accept: 'application/json' }))[2]).toBe('BAD_REQUEST')
    expect(await overSocket(strict, { extensions: persistedQuery(sold) })).toEqual({ data: { houseSold: { id: '1' } } })
  })

  it('refuses unknown ids and requests that name two operations', async () => {
    for (const { graphql } of [running, strict]) {
      expect(await post(graphql, { documentId: 'sha256:none' })).toEqual([400, undefined, 'PERSISTED_QUERY_NOT_IN_LIST'])
      expect(await post(graphql, { documentId: 7 })).toEqual([400, undefined, 'BAD_REQUEST'])
      expect(await post(graphql, { documentId: id, query: house, variables })).toEqual([400, undefined, 'BAD_REQUEST'])
    }
  })

  it('can restrict execution to its operations, sent by id or as text', async () => {
    const other = '{ who }'
    expect(await post(running.graphql, { query: other })).toEqual([200, { who: expect.any(String) }, undefined])
    expect(await post(strict.graphql, { query: house, variables })).toEqual(houseResult)
    for (const body of [{ query: other }, { query: other, extensions: persistedQuery(other) }, { query: '{ __typename }' }])
      expect(await post(strict.graphql, body)).toEqual([400, undefined, 'QUERY_NOT_IN_SAFELIST'])
    expect(await post(strict.graphql, { extensions: persistedQuery(other) })).toEqual([400, undefined, 'PERSISTED_QUERY_NOT_IN_LIST'])
    // nor by a document that another copy has stored
    strict.store.set(`apq:${sha256(other)}`, other)
    expect(await post(strict.graphql, { extensions: persistedQuery(other) })).toEqual([400, undefined, 'PERSISTED_QUERY_NOT_IN_LIST'])
    const byGet = await fetch(`${strict.graphql}?query=%7Bwho%7D&query=%7Bwho%7D`, { headers: { 'apollo-require-preflight': '1' } })
    expect([byGet.status, await byGet.text()]).toEqual([400, expect.not.stringContaining('"data"')])
    expect((await post(strict.graphql, [{ query: other }]))[1]).toBeUndefined()
    expect(await overSocket(strict, { query: other })).toMatchObject([{ extensions: { code: 'QUERY_NOT_IN_SAFELIST' } }])
    expect(await overSocket(strict, { documentId: 'none' })).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST' } }])
  })
})

it('can be replaced at run time', async () => {
  let manifest = operationManifest({ a: '{ who }' })
  await using running = await startGateway('in process', { registeredOperations: { manifest: () => manifest, only: true } })
  expect((await post(running.graphql, { documentId: 'a' }))[0]).toBe(200)
  manifest = operationManifest({ b: '{ who }' })
  expect((await post(running.graphql, { documentId: 'a' }))[2]).toBe('PERSISTED_QUERY_NOT_IN_LIST')
  expect((await post(running.graphql, { documentId: 'b' }))[0]).toBe(200)
})

describe('a manifest file', () => {
  const file = join(tmpdir(), `${randomUUID()}.json`)
  afterAll(() => rm(file, { force: true }))

  it.each([
    ['{"operations": [{"id": "a"}]}', /format/],
    ['{"format": "apollo-persisted-query-manifest", "version": 2, "operations": []}', /version/],
    ['{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "a", "body": 7}]}', /operations\.0\.body/],
    ['{"a": {"text": "{ who }"}}', /a: /],
    ['["{ who }"]', /it: /],
    ['{"a": "{ who }", "sha256:a": "{ houses { id } }"}', /two operations have the id/],
    ['{', /JSON/],
  ])('is refused with a message that names it: %s', async (text, sentence) => {
    await writeFile(file, text)
    await expect(loadOperationManifest(file)).rejects.toThrow(sentence)
    await expect(loadOperationManifest(file)).rejects.toThrow(file)
  })

  it('may start with a byte order mark', async () => {
    await writeFile(file, `\ufeff${JSON.stringify(relays)}`)
    expect((await loadOperationManifest(file)).has(house)).toBe(true)
  })

  it('is not read when it has 100 MB or is missing', async () => {
    await writeFile(file, '')
    await truncate(file, 100 * 1024 * 1024)
    await expect(loadOperationManifest(file)).rejects.toThrow(/its size is 100 MiB, the limit is 64/)
    await expect(loadOperationManifest('/nowhere.json')).rejects.toThrow(/nowhere\.json/)
    expect(() => parseConfig({ PERSISTED_OPERATIONS_ONLY: 'on' }, '/')).toThrow(/PERSISTED_OPERATIONS is missing/)
  })
})
