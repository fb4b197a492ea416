import { expect, it } from 'vitest'
import { InvalidInput, NotFound } from '../../../foundation/fault.ts'
import { foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { pageWindow } from '../../../foundation/graphql/page-window.ts'
import { both } from '../../../foundation/validation/both.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import { invalid, type Violation } from '../../../foundation/validation/violation.ts'

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

it('reports a cursor of another list beside the invalid members of the filter, and alone with its own code', async () => {
  const page = () => {
    throw foreignCursor()
  }
  const entries = [{ code: 'wrong_cursor', path: ['after'] }]
  await expect(both(page, refused('lang'))).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    details: { entries: [...entries, { path: ['lang'] }] },
  })
  await expect(both(page, () => 1)).rejects.toMatchObject({ code: 'MALFORMED', details: { entries } })
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
  const read = (input: { readonly domainId?: string | null; readonly domain?: string | null }) => renamed(input, 'domainId', 'domain')
  expect(read({ domainId: 'a' })).toEqual({ name: 'domainId', value: 'a' })
  expect(read({ domain: 'a' })).toEqual({ name: 'domain', value: 'a' })
  expect(read({ domain: null })).toEqual({ name: 'domain', value: null })
  expect(read({ domainId: null, domain: null })).toEqual({ name: 'domainId', value: null })
  expect(read({})).toEqual({ name: 'domainId', value: undefined })
  expect(() => read({ domainId: 'a', domain: 'a' })).toThrow(InvalidInput)
  const violations: Violation[] = []
  renamed({ domainId: 'a', domain: 'a' }, 'domainId', 'domain', violations, ['input'])
  expect(violations).toMatchObject([{ code: 'exclusive', path: ['input', 'domain'] }])
})
