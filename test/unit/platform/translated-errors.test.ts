import { fastify } from 'fastify'
import { expect, it, vi } from 'vitest'
import { violationCodes } from '../../../foundation/validation/violation.ts'
import { translateErrors } from '../../../platform/listeners/translated-errors.ts'

const entry = { code: 'required', path: ['text'], message: 'Field required' }
const errors = [
  { message: 'text: Field required', path: ['a'], extensions: { code: 'BAD_USER_INPUT', entries: [entry], requestId: 'r' } },
  { message: 'Strange', extensions: { code: 'NO_SUCH_CODE' } },
]

/** Errors whose texts contain signs of JSON. */
const tricky = [{ message: 'a "quoted" ]}\\', path: ['a', 0], extensions: { code: 'NOT_FOUND' } }]

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
  const { body, vary, isWhole } = await answered({ errors, data: { a: null, b: 1 } }, language)
  const [first, second] = body.errors
  expect(first.message).toContain(start)
  expect(first.extensions).toMatchObject({ code: 'BAD_USER_INPUT', requestId: 'r', detail: 'text: Field required' })
  expect(first.extensions.entries).toEqual([{ ...entry, message: expect.stringContaining(word) }])
  expect([first.path, second, body.data]).toEqual([['a'], errors[1], { a: null, b: 1 }])
  expect([vary, isWhole]).toEqual(['Accept-Language', true])
})

it.each(['fr', 'ar'])('every code of an entry has words in %s', async (language) => {
  const entries = violationCodes.map((code) => ({ code, path: ['text'], message: 'English' }))
  const { body } = await answered({ errors: [{ message: 'English', extensions: { code: 'BAD_USER_INPUT', entries } }] }, language)
  const english = body.errors[0].extensions.entries.filter(({ message }: { readonly message: string }) => message === 'English')
  expect(english).toEqual([])
})

it.each([undefined, 'en', 'de', '*'])('messages stay English for Accept-Language %s', async (language) => {
  expect(await answered({ errors }, language)).toEqual({ body: { errors }, vary: 'Accept-Language', isWhole: true })
})

it('responses without errors and other paths stay as they are', async () => {
  expect(await answered({ data: { errors: ['"errors":['] } }, 'fr')).toMatchObject({
    body: { data: { errors: ['"errors":['] } },
    vary: undefined,
  })
  expect(await answered({ errors }, 'fr', '/other')).toMatchObject({ body: { errors }, vary: undefined })
})

it('signs of JSON in a message do not end the errors, and data is sent as it is', async () => {
  const { body } = await answered({ errors: tricky, data: { b: ['"', '\\', { c: ']}' }] } }, 'fr')
  expect(body.errors).toMatchObject([{ path: ['a', 0], extensions: { code: 'NOT_FOUND', detail: 'a "quoted" ]}\\' } }])
  expect(body.data).toEqual({ b: ['"', '\\', { c: ']}' }] })
})

it('prepares the texts of a language once for any number of errors', async () => {
  const prepared = vi.spyOn(Intl, 'PluralRules')
  const { body } = await answered({ errors: Array.from({ length: 1000 }, () => errors[0]) }, 'ar')
  expect(body.errors).toHaveLength(1000)
  expect(prepared.mock.calls.length).toBeLessThanOrEqual(1)
  prepared.mockRestore()
})
