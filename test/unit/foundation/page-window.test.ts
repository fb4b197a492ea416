import { describe, expect, it } from 'vitest'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { type PageRequest, pageWindow } from '../../../foundation/graphql/page-window.ts'

const all = [1, 2, 3, 4, 5]
const cursors = new Cursors(['numbers'])

/** Reads a page of a list of five numbers with a window, as stores do. */
function pageFor(request: PageRequest) {
  const window = pageWindow(request, { defaultSize: 2, maxSize: 3 }, (cursor, argument) => Number(cursors.placeOf(cursor, 1, argument)[0]))
  const { beyond, isBackward, limit } = window
  const inOrder = isBackward ? all.toReversed() : all
  const rest = beyond === undefined ? inOrder : inOrder.filter((each) => (isBackward ? each < beyond : each > beyond))
  return pageOf(rest.slice(0, limit), window, (each) => cursors.of(each))
}

describe('a page of a list', () => {
  it.each([
    [{}, [1, 2], false, true],
    [{ first: 3 }, [1, 2, 3], false, true],
    [{ first: 3, after: cursors.of(2) }, [3, 4, 5], true, false],
    [{ last: 2 }, [4, 5], true, false],
    [{ first: 3, last: 2 }, [4, 5], true, false],
    [{ first: null, last: 2, before: cursors.of(4) }, [2, 3], true, true],
    [{ before: cursors.of(3) }, [1, 2], false, true],
    [{ first: 1, before: cursors.of(4) }, [3], true, true],
    [{ after: cursors.of(5) }, [], true, false],
  ] as const)('is in the order of the list from both ends: %o', (request, nodes, hasPreviousPage, hasNextPage) => {
    const page = pageFor(request)
    expect(page.nodes).toEqual(nodes)
    expect(page.edges.map(({ node }) => node)).toEqual(nodes)
    expect(page.pageInfo).toMatchObject({ hasPreviousPage, hasNextPage })
    const [first, last] = [nodes.at(0), nodes.at(-1)]
    expect(page.pageInfo.startCursor).toBe(first === undefined ? null : cursors.of(first))
    expect(page.pageInfo.endCursor).toBe(last === undefined ? null : cursors.of(last))
  })

  it('is refused with the size and the cursor in one error', () => {
    const entries = [expect.objectContaining({ path: ['first'] }), expect.objectContaining({ path: ['after'], code: 'wrong_cursor' })]
    expect(() => pageFor({ first: 4, after: 'x' })).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT', details: { entries } }))
  })

  it.each([
    [{ first: 4 }, 'BAD_USER_INPUT', 'first', 'out_of_range'],
    [{ first: 4, before: cursors.of(4) }, 'BAD_USER_INPUT', 'first', 'out_of_range'],
    [{ last: 0 }, 'BAD_USER_INPUT', 'last', 'out_of_range'],
    [{ after: 'x' }, 'MALFORMED', 'after', 'wrong_cursor'],
    [{ last: 1, before: 'x' }, 'MALFORMED', 'before', 'wrong_cursor'],
    [{ last: 1, after: cursors.of(1) }, 'BAD_USER_INPUT', 'after', 'exclusive'],
  ] as const)('is refused with an entry that names the argument: %o', (request, code, argument, rule) => {
    expect(() => pageFor(request)).toThrow(
      expect.objectContaining({ code, details: { entries: [expect.objectContaining({ path: [argument], code: rule })] } }),
    )
  })
})

describe('a cursor', () => {
  const place = [7, 'x'] as const
  const cursor = new Cursors(['letters', 'anna'], { state: 'SENT', since: null }).of(...place)

  it('marks the same position for a filter that omits its null values', () => {
    expect(new Cursors(['letters', 'anna'], { state: 'SENT' }).placeOf(cursor, 2)).toEqual(place)
    expect(new Cursors(['letters'], {}).placeOf(new Cursors(['letters'], undefined).of(1), 1)).toEqual([1])
  })

  it.each([
    ['of another list', new Cursors(['numbers', 'anna'], { state: 'SENT' })],
    ['of the same list of another person', new Cursors(['letters', 'bert'], { state: 'SENT' })],
    ['under another filter', new Cursors(['letters', 'anna'], { state: 'LOST' })],
    ['without the filter', new Cursors(['letters', 'anna'])],
  ])('%s is refused, naming the argument', (_, other) => {
    expect(() => other.placeOf(cursor, 2, 'before')).toThrow(
      expect.objectContaining({
        code: 'MALFORMED',
        message: '`before` is not a cursor of this list',
        details: { entries: [expect.objectContaining({ path: ['before'] })] },
      }),
    )
  })
})
