import { describe, expect, it } from 'vitest'
import { delegationTextViolations } from '../../../subgraphs/administration/delegations/delegation-record.ts'
import { maxFileChanges, maxFileCharacters, readChangesFile } from '../../../subgraphs/administration/simulation/changes-file.ts'
import { changesIn } from '../../../subgraphs/administration/simulation/scenario.ts'

const rulesWith = (assumed: readonly string[]) => ({ assumed: new Set(assumed), textViolations: delegationTextViolations })
const read = (text: string, ...assumed: readonly string[]) => readChangesFile(text, rulesWith(assumed))
const changes = async (text: string) => {
  const answer = await read(text)
  if ('violations' in answer) throw new Error(answer.violations[0]?.message)
  return changesIn(answer.file)
}
const violations = async (text: string, ...assumed: readonly string[]) => {
  const answer = await read(text, ...assumed)
  return 'violations' in answer ? answer.violations : []
}
const header = 'change,code,delegate'
const file = (...lines: readonly string[]): string => [header, ...lines].join('\n')

describe('a file of changes', () => {
  const expected = [
    { kind: 'add', line: 2, code: 'C-1', delegate: 'C-2' },
    { kind: 'remove_delegator', line: 3, code: 'C-3', delegate: '' },
    { kind: 'remove_delegate', line: 5, code: 'C-4', delegate: '' },
    { kind: 'remove_id', line: 6, code: 'd-1', delegate: '' },
    { kind: 'direct_voter', line: 7, code: 'C-5', delegate: '' },
  ]
  const lines = ['add, C-1 ,C-2', 'remove_delegator,C-3,', '', 'remove_delegate,C-4,', 'remove_id,d-1', 'direct_voter,C-5,']

  it('has a change on each line', async () => {
    expect(await changes(file(...lines))).toEqual(expected)
  })

  it('may have a byte-order mark, line ends of Windows, and blank lines with separators', async () => {
    const text = `\ufeff${[header, ...lines, ',,', ''].join('\r\n')}\r\n`
    expect(await changes(text)).toEqual(expected)
  })

  it('may have quotation marks, also around and within codes', async () => {
    expect(await changes(file('"add","a,b","say ""no"""', 'add,"c",d', '"direct_voter","e",""', ' remove_id ,"f""",'))).toMatchObject([
      { code: 'a,b', delegate: 'say "no"' },
      { code: 'c', delegate: 'd' },
      { kind: 'direct_voter', code: 'e', delegate: '' },
      { kind: 'remove_id', code: 'f"' },
    ])
  })

  it('names codes as the tables of the console save them, without the apostrophe before a formula', async () => {
    expect(await changes(file("add,'-12,'=a"))).toMatchObject([{ code: '-12', delegate: '=a' }])
  })

  it('may name a citizen in changes of different kinds', async () => {
    expect(await changes(file('remove_delegator,C-1,', 'remove_delegator,C-1,', 'add,C-1,C-2', 'direct_voter,C-2,'))).toHaveLength(4)
  })

  it('has equal digests only for equal texts', async () => {
    const digest = async (text: string) => {
      const answer = await read(text)
      return 'file' in answer ? answer.file.digest : undefined
    }
    expect(await digest(file('add,a,b'))).toBe(await digest(file('add,a,b')))
    expect(await digest(file('add,a,b'))).not.toBe(await digest(file('add,b,a')))
  })
})

describe('a file of changes is refused with line and column', () => {
  const long = 'x'.repeat(129)
  it.each([
    ['without text', '', 'Line 1, column 1: The first line must be change,code,delegate', 'wrong_pattern'],
    ['without a header', 'add,C-1,C-2', 'Line 1, column 1: The first line must be change,code,delegate', 'wrong_pattern'],
    ['with a column more', `${header},why\nadd,a,b,c`, 'Line 1, column 4: The first line must be change,code,delegate', 'wrong_pattern'],
    [
      'with semicolons',
      'change;code;delegate\nadd;C-1;C-2',
      'Line 1, column 1: The columns are separated by ";": separate them by commas',
      'wrong_pattern',
    ],
    [
      'without changes',
      `${header}\n\n,,\n`,
      'Line 4, column 1: The file has no changes: write one on each line, such as add,CIT-1,CIT-2',
      'too_few',
    ],
    [
      'with another change',
      file('add,a,b', 'delete,a,'),
      'Line 3, column 1: This is not a change: write add, remove_delegator, remove_delegate, remove_id, direct_voter',
      'unknown',
    ],
    ['without a code', file('remove_delegate,,'), 'Line 2, column 2: The code of the citizen is missing', 'required'],
    ['without an id', file('remove_id'), 'Line 2, column 2: The id of the delegation is missing', 'required'],
    ['without a delegate', file('add,a,'), 'Line 2, column 3: The code of the delegate is missing', 'required'],
    ['with a code that is too long', file(`add,a,${long}`), 'Line 2, column 3: String should have at most 128 characters', 'too_long'],
    [
      'with a code that cannot be stored',
      file('direct_voter,a\u0000b,'),
      'Line 2, column 2: the string should have neither U+0000 nor lone surrogates',
      'unstorable_text',
    ],
    [
      'with a delegation to oneself',
      file('add,a,a'),
      'Line 2, column 3: The delegate must be another citizen than the delegator',
      'duplicate',
    ],
    [
      'with two delegations of one citizen',
      file('add,a,b', '', 'add,a,c'),
      'Line 4, column 2: The delegator has another assumed delegation in line 2: leave one of them out',
      'duplicate',
    ],
    [
      'with a delegate that no change but add has',
      file('remove_delegator,a,b'),
      'Line 2, column 3: A delegate is for add only: leave it empty after remove_delegator',
      'exclusive',
    ],
    ['with a column too many', file('add,a,b,c'), 'Line 2, column 4: The line has 4 columns: write change,code,delegate', 'wrong_pattern'],
    [
      'with an open quotation mark',
      file('add,"a,b', 'add,c,d'),
      'Line 2, column 1: The line is not CSV: a quotation mark is misplaced or not closed on the same line',
      'wrong_pattern',
    ],
    ['with an endless line', file('x'.repeat(5000)), 'Line 2, column 1: The line has more than 1,024 characters', 'too_long'],
  ])('%s', async (_, text, message, code) => {
    expect(await violations(text)).toMatchObject([{ path: ['changes'], message, code }])
  })

  it('for a delegator of the list beside it', async () => {
    const message = 'Line 3, column 2: The delegator has another assumed delegation beside the file: leave one of them out'
    expect(await violations(file('add,a,b', 'add,c,d'), 'c')).toMatchObject([{ path: ['changes'], code: 'duplicate', message }])
  })

  it('with 20 problems and the number of the others', async () => {
    const found = await violations(file(...Array.from({ length: 1500 }, () => 'add,a')))
    expect(found).toHaveLength(21)
    expect(found[19]?.message).toMatch(/^Line 21, column 3:/)
    expect(found[20]).toMatchObject({ path: ['changes'], message: 'and 1,480 more', constraint: { actual: 1500 } })
  })

  it('beyond 100,000 changes, by the line of the first one', async () => {
    const full = `${header}\n${'direct_voter,a,\n'.repeat(maxFileChanges)}`
    expect(await changes(`${full},,`)).toHaveLength(maxFileChanges)
    expect(await violations(`${full}direct_voter,a,\ndirect_voter,b,`)).toMatchObject([
      {
        code: 'too_many',
        message: 'Line 100002, column 1: The file has more than 100,000 changes: leave out this one and those after it',
        constraint: { max: maxFileChanges },
      },
    ])
  })

  it('beyond 8 Mi characters, without reading it', async () => {
    const message = 'The file has 8,388,609 characters; at most 8,388,608 characters and 100,000 changes are read: leave out changes'
    expect(await violations('x'.repeat(maxFileCharacters + 1))).toMatchObject([{ path: ['changes'], code: 'too_long', message }])
  })
})

it('reads 100,000 changes in steps, and stops when the caller leaves', async () => {
  const text = [header, ...Array.from({ length: maxFileChanges }, (_, at) => `add,"C-${at}",C-${at + 1}`)].join('\n')
  let [turns, isReading] = [0, true]
  const count = (): void => {
    turns++
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  expect(await changes(text)).toHaveLength(maxFileChanges)
  isReading = false
  expect(turns).toBeGreaterThan(2)
  await expect(readChangesFile(text, rulesWith([]), AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
})
