import { expect, it } from 'vitest'
import { InvalidInput, NotFound } from '../../../foundation/fault.ts'
import { pageWindow } from '../../../foundation/graphql/page-window.ts'
import { both } from '../../../foundation/validation/both.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import { invalid } from '../../../foundation/validation/violation.ts'

const refused =
  (...path: readonly string[]) =>
  () => {
    throw new InvalidInput('Refused', [invalid(path, 'Refused')])
  }
const placeOf = (cursor: string): string => cursor

it('reports the invalid members of both parts of an input', async () => {
  const page = () => pageWindow({ first: 0, after: 'a', last: 101 }, { defaultSize: 20, maxSize: 100 }, placeOf)
  await expect(both(page, refused('lang'))).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    details: { entries: [{ path: ['after'] }, { code: 'out_of_range', path: ['last'] }, { path: ['lang'] }] },
  })
})

it('returns both values, and passes any other error on', async () => {
  expect(
    await both(
      () => 1,
      async () => 'a',
    ),
  ).toEqual([1, 'a'])
  await expect(both(refused('lang'), () => 1)).rejects.toMatchObject({ details: { entries: [{ path: ['lang'] }] } })
  const missing = () => {
    throw new NotFound('Missing')
  }
  await expect(both(refused('lang'), missing)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('reads a renamed member under either name, and refuses both names at once', () => {
  const read = (input: { readonly domainId?: string | null; readonly domain?: string | null }) =>
    renamed(input, 'domainId', 'domain', ['input'])
  expect(read({ domainId: 'a' })).toEqual({ name: 'domainId', value: 'a' })
  expect(read({ domain: 'a' })).toEqual({ name: 'domain', value: 'a' })
  expect(read({ domain: null })).toEqual({ name: 'domain', value: null })
  expect(read({ domainId: null, domain: null })).toEqual({ name: 'domainId', value: null })
  expect(read({})).toEqual({ name: 'domainId', value: undefined })
  expect(() => read({ domainId: 'a', domain: 'a' })).toThrow(InvalidInput)
})
