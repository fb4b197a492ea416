import { describe, expect, it } from 'vitest'
import { contentTypeOf } from '../../../../gateway/protocols/graphql-http/answer-head.ts'
import { startGateway } from '../../../support/gateway/town.ts'

const json = 'application/json; charset=utf-8'
const graphqlJson = 'application/graphql-response+json; charset=utf-8'

it.each([
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  ['application/json', json],
  ['application/graphql-response+json', graphqlJson],
  ['application/graphql-response+json, application/json;q=0.9', graphqlJson],
  ['application/graphql-response+json;q=0.1, application/json', json],
  ['application/json;q=0, application/graphql-response+json', graphqlJson],
  ['text/html, */*;q=0.1', json],
  ['image/png', undefined],
  ['application/json;q=0', undefined],
])('answers Accept %s with %s', (accept, contentType) => {
  for (let time = 0; time < 2; time += 1) expect(contentTypeOf(accept)).toBe(contentType)
})

/** Requests of every kind: accepted, refused before and during execution, without JSON in Accept. */
const requests: readonly (readonly [body: string, accept: string])[] = [
  ['{"query":"{ house(id: 1) { number owner { name } } }"}', 'application/json'],
  ['{"query":"{ house(id: 1) { number } }"}', 'application/graphql-response+json'],
  ['{"query":"{ crash away forbidden }"}', '*/*'],
  ['{"query":"{ nope }"}', 'application/json'],
  ['{"query":"{ nope }"}', 'application/graphql-response+json'],
  ['{"query":"query ($id: ID!) { house(id: $id) { number } }"}', 'application/graphql-response+json'],
  ['{"query":"mutation { register(input: { street: \\"A\\", number: 3 }) { id } }"}', 'application/json'],
  ['{"query":"{ who }"}', 'image/png'],
  ['{"query":"{ who }"}', 'text/event-stream'],
  ['{"query":"{ who } query B { who }","operationName":"C"}', 'application/json'],
  ['{"query":"{ who }","operationName":""}', 'application/json'],
  ['{}', 'application/json'],
]

describe('a complete response', () => {
  it('is the same with and without plugins of Apollo Server', async () => {
    await using plain = await startGateway('in process')
    const seen: string[] = []
    const plugins = [
      { requestDidStart: async ({ request }: { readonly request: { readonly query?: string } }) => void seen.push(request.query ?? '') },
    ]
    await using observed = await startGateway('in process', { plugins })
    const answerOf = async (url: string, body: string, accept: string) => {
      const headers = { 'content-type': 'application/json', accept, 'x-request-id': 'same' }
      const response = await fetch(url, { method: 'POST', headers, body })
      const names = ['content-type', 'cache-control', 'retry-after', 'vary', 'www-authenticate']
      return [response.status, names.map((name) => response.headers.get(name)), await response.text()]
    }
    for (const [body, accept] of requests)
      expect(await answerOf(observed.graphql, body, accept), `${body} ${accept}`).toEqual(await answerOf(plain.graphql, body, accept))
    expect(seen).toContain('{ house(id: 1) { number owner { name } } }')
  })

  it('that the client does not accept is refused before the operation is executed', async () => {
    await using running = await startGateway('in process')
    const before = running.town.seen.contexts.length
    const response = await fetch(running.graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'image/png' },
      body: '{"query":"{ who }"}',
    })
    expect(response.status).toBe(406)
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] })
    expect(running.town.seen.contexts).toHaveLength(before)
  })
})
