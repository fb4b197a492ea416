import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { translateErrors } from '../../../platform/listeners/translated-errors.ts'

const entry = { code: 'required', path: ['text'], message: 'Field required' }
const errors = [
  { message: 'text: Field required', path: ['a'], extensions: { code: 'BAD_USER_INPUT', entries: [entry], requestId: 'r' } },
  { message: 'Strange', extensions: { code: 'NO_SUCH_CODE' } },
]

async function answered(body: unknown, language: string | undefined, url = '/graphql') {
  const server = fastify()
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  server.get('/graphql', async (_, reply) => reply.headers(headers).send(text))
  server.get('/other', async (_, reply) => reply.header('content-type', 'application/json').send(JSON.stringify(body)))
  translateErrors(server)
  const response = await server.inject({ url, headers: language === undefined ? {} : { 'accept-language': language } })
  await server.close()
  return {
    body: response.json(),
    vary: response.headers.vary,
    isWhole: Number(response.headers['content-length']) === response.rawPayload.length,
  }
}

it.each([
  ['fr', 'Certaines', 'obligatoire'],
  ['fr-SN, en;q=0.5', 'Certaines', 'obligatoire'],
  ['ar', 'بعض', 'مطلوب'],
])('messages are in the language of Accept-Language %s, codes stay', async (language, start, word) => {
  const { body, vary, isWhole } = await answered({ data: { a: null, b: 1 }, errors }, language)
  const [first, second] = body.errors
  expect(first.message).toContain(start)
  expect(first.extensions).toMatchObject({ code: 'BAD_USER_INPUT', requestId: 'r', detail: 'text: Field required' })
  expect(first.extensions.entries).toEqual([{ ...entry, message: expect.stringContaining(word) }])
  expect([first.path, second, body.data]).toEqual([['a'], errors[1], { a: null, b: 1 }])
  expect([vary, isWhole]).toEqual(['Accept-Language', true])
})

it.each([undefined, 'en', 'de', '*'])('messages stay English for Accept-Language %s', async (language) => {
  expect(await answered({ errors }, language)).toEqual({ body: { errors }, vary: 'Accept-Language', isWhole: true })
})

it('responses without errors and other paths stay as they are', async () => {
  expect(await answered({ data: { text: '"errors":[' } }, 'fr')).toMatchObject({ body: { data: { text: '"errors":[' } }, vary: undefined })
  expect(await answered({ errors }, 'fr', '/other')).toMatchObject({ body: { errors }, vary: undefined })
})
