import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { withoutSecrets } from '../../../web/query/documents/documents.ts'
import { formatted } from '../../../web/query/editor/formatted.ts'
import { merged } from '../../../web/query/running/merged.ts'
import { partsOf } from '../../../web/query/running/parts.ts'
import { prepared } from '../../../web/query/running/prepared.ts'
import { searchSchema } from '../../../web/query/schema/search-schema.ts'

describe('a stored operation', () => {
  it.each([
    ['{"password": "a\\"b", "email": "c"}', '{"password": "", "email": "c"}'],
    ['{"refreshToken":"a","apiKey":"b", "first": 1', '{"refreshToken":"","apiKey":"", "first": 1'],
    ['login(input: {newPassword: """a "b" c""", email: "d"})', 'login(input: {newPassword: "", email: "d"})'],
    // an unfinished operation
    ['{"password": "a', '{"password": ""'],
    ['query ($token: String!) { me { token } }', 'query ($token: String!) { me { token } }'],
  ])('contains no secret: %s', (written, stored) => expect(withoutSecrets(written)).toBe(stored))
})

describe('an answer in parts', () => {
  it('is read part by part, however its bytes are split', async () => {
    const bytes = new TextEncoder().encode('\r\n---\r\nContent-Type: a\r\n\r\n{"é": 1}\r\n---\r\nContent-Type: a\r\n\r\n{}\r\n-----\r\n')
    for (const size of [1, 7, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size))
      const read: string[] = []
      for await (const part of partsOf(ReadableStream.from(chunks), '-')) read.push(part)
      expect(read).toEqual(['{"é": 1}', '{}'])
    }
  })

  it('is merged by paths, including lists and errors', () => {
    const first = merged({}, { data: { a: { list: [{ b: 1 }] } }, hasNext: true })
    const second = merged(first, {
      incremental: [{ path: ['a', 'list', 0], data: { c: 2 }, errors: [{ message: 'late' }] }],
      hasNext: true,
    })
    const third = merged(second, { incremental: [{ path: ['a', 'list', 1], items: [{ b: 3 }] }], hasNext: false })
    expect(third).toEqual({ data: { a: { list: [{ b: 1, c: 2 }, { b: 3 }] } }, errors: [{ message: 'late' }] })
    expect(() => merged(first, { incremental: [{ path: ['none', 0], data: { c: 2 } }] })).toThrow('none.0')
  })

  it('does not pollute prototypes, whatever the names of its fields', () => {
    const parsed = (text: string) => JSON.parse(text)
    const first = merged({}, { data: { a: {} } })
    const second = merged(first, parsed('{"incremental": [{"path": ["a"], "data": {"__proto__": {"taken": 1}}}]}'))
    const third = merged(second, parsed('{"incremental": [{"path": ["a", "__proto__"], "data": {"also": 2}}]}'))
    expect(JSON.stringify(third)).toBe('{"data":{"a":{"__proto__":{"taken":1,"also":2}}}}')
    expect(() => merged(first, parsed('{"incremental": [{"path": ["__proto__"], "data": {"taken": 1}}]}'))).toThrow('__proto__')
    expect({}).not.toHaveProperty('taken')
  })
})

describe('the executed operation', () => {
  const written = { variables: '', headers: '', cursor: 0 }
  const query = 'query One { a }\nsubscription Two { b }\nfragment F on T { c }'

  it('is the operation around the cursor, or the first', () => {
    const nameAt = (cursor: number) => {
      const operation = prepared({ ...written, query, cursor })
      return 'request' in operation ? [operation.kind, operation.request.operationName] : operation
    }
    expect([nameAt(3), nameAt(20), nameAt(45)]).toEqual([
      ['query', 'One'],
      ['subscription', 'Two'],
      ['query', 'One'],
    ])
  })

  it.each([
    [{ query: '{' }, 'problem.query'],
    [{ query: 'fragment F on T { c }' }, 'problem.no-operation'],
    [{ query, variables: '[1]' }, 'problem.variables'],
    [{ query, headers: '"a"' }, 'problem.headers'],
    [{ query, headers: '{"no name": "a"}' }, 'problem.headers'],
  ])('is missing when %o cannot be parsed', (part, key) => expect(prepared({ ...written, ...part })).toMatchObject({ key }))
})

describe('the formatter', () => {
  it('does not change text in which comments would be lost', () => {
    expect(formatted('{a(b:"# none")}')).toBe('{\n  a(b: "# none")\n}\n')
    expect(formatted('{a} # end')).toEqual({ key: 'problem.comments' })
    expect(formatted('{')).toMatchObject({ key: 'problem.query' })
  })
})

describe('a search through the schema', () => {
  it('finds types, fields and values, first those that start with the term', () => {
    const schema = buildSchema('type Query { town: Town oldTown: Town } type Town { name: String } enum Kind { TOWN CITY }')
    expect(searchSchema(schema, ' town ', 3)).toEqual([{ type: 'Query', field: 'town' }, { type: 'Town' }, { type: 'Kind', field: 'TOWN' }])
    expect(searchSchema(schema, 'town', 9)).toContainEqual({ type: 'Query', field: 'oldTown' })
    expect(searchSchema(schema, '', 9)).toEqual([])
  })
})
