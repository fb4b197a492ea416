import specifications from '@asyncapi/specs'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { expect, it } from 'vitest'
import { graphqlWsDocument } from '../../../gateway/protocols/graphql-ws/asyncapi.ts'
import { streamDocument } from '../../../rest-adapters/classification/stream/asyncapi.ts'
import { realtimeDocument } from '../../../rest-adapters/exploration/realtime/asyncapi.ts'

it.each([
  ['/ws', streamDocument],
  ['the realtime channel', realtimeDocument],
  ['operations over WebSocket', () => graphqlWsDocument],
])('the document of %s is valid AsyncAPI 3, and its references resolve', (_, documentOf) => {
  // the schema of the specification includes that of JSON Schema
  const ajv = formats.default(new Ajv({ strict: false, logger: false, meta: false, validateSchema: false }))
  const specification: object = specifications.schemas['3.0.0']
  const isValid = ajv.compile(specification)
  const document = documentOf()
  isValid(document)
  expect(isValid.errors ?? []).toEqual([])
  const { asyncapi: __, ...unnamed } = document
  expect(isValid(unnamed)).toBe(false)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(references.length).toBeGreaterThan(8)
  for (const path of references) {
    const target = path
      .split('/')
      .reduce<unknown>(
        (value, name) => (value as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      )
    expect(target, path).toBeTypeOf('object')
  }
})

it('the document of /ws describes the token frames of the server and of the client', () => {
  const messages = streamDocument().channels.expressions?.messages
  expect(messages?.token).toMatchObject({ name: 'token', payload: { properties: { data: {} } } })
  expect(messages?.client_token).toMatchObject({ name: 'token', payload: { properties: { token: {} } } })
})
