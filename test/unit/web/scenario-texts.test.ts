import { describe, expect, it } from 'vitest'
import {
  countChanges,
  fieldAt,
  placeInFile,
  readScenario,
  textsOf,
  unchangedTexts,
} from '../../../web/console/simulations/scenario-texts.ts'

describe('a scenario as typed', () => {
  it('ends the delegations to the people of each line, and skips blank lines', () => {
    const texts = { ...unchangedTexts, endTo: 'C-1\n\n  C-2 \n', add: 'C-3, C-4\nC-5 → C-6', direct: 'C-7', maxChain: '0' }
    expect(readScenario(texts)).toEqual({
      variables: {
        scope: 'vote',
        directVoters: ['C-7'],
        add: [
          { delegator: 'C-3', delegate: 'C-4' },
          { delegator: 'C-5', delegate: 'C-6' },
        ],
        remove: { ids: [], delegators: [], delegates: ['C-1', 'C-2'] },
        maxChain: 0,
      },
    })
  })

  it('names the field and the line that cannot be read', () => {
    const texts = { ...unchangedTexts, add: 'C-1, C-2\nC-3 C-4\nC-5, C-5', maxWeight: '1.5', electorate: 'many' }
    expect(readScenario(texts)).toEqual({
      problems: [
        { field: 'add', code: 'pair', line: 2 },
        { field: 'add', code: 'same', line: 3 },
        { field: 'electorate', code: 'number' },
        { field: 'maxWeight', code: 'number' },
      ],
    })
  })

  it('shows a refusal at its field, with the typed line', () => {
    const texts = { ...unchangedTexts, endTo: 'C-1\n\nC-2', add: '\nC-3, C-4' }
    expect(fieldAt(['remove', 'delegates', 1], texts)).toEqual({ field: 'endTo', typed: { line: 3, text: 'C-2' } })
    expect(fieldAt(['add', 0, 'delegate'], texts)).toEqual({ field: 'add', typed: { line: 2, text: 'C-3, C-4' } })
    expect(fieldAt(['domainId'], texts)).toEqual({ field: 'domain', typed: undefined })
    expect(fieldAt(['first'], texts)).toBeUndefined()
  })

  it('sends a file beside the lists, and shows the text that a refusal is about', () => {
    const file = 'change,code,delegate\r\nadd,C-1,"C-2"\r\n,,\r\ndirect_voter,C-3,\r\n'
    expect(readScenario({ ...unchangedTexts, file, fileName: 'a.csv', direct: 'C-4' })).toEqual({
      variables: { scope: 'vote', directVoters: ['C-4'], changes: file },
    })
    // an empty file is refused, not ignored
    expect(readScenario({ ...unchangedTexts, fileName: 'a.csv' })).toEqual({ variables: { scope: 'vote', changes: '' } })
    expect(countChanges(file)).toBe(2)
    expect(countChanges('')).toBe(0)
    expect(fieldAt(['changes'], unchangedTexts)).toEqual({ field: 'file', typed: undefined })
    const lines = file.split('\n')
    expect(placeInFile('Line 2, column 3: No delegation: none', lines)).toEqual({
      ...{ line: 2, column: 3, text: 'C-2', sentence: 'No delegation: none' },
    })
    expect(placeInFile('Line 9, column 9: Missing', lines)).toMatchObject({ text: '' })
    expect(placeInFile('and 3 more', lines)).toBeUndefined()
  })

  it('is opened as it was saved', () => {
    const saved = {
      ...{ scope: 'sign', at: null, electorate: 10, maxWeight: null, maxChain: 0, group: { id: 'north' }, domain: { id: 'health' } },
      directVoters: [{ code: 'C-1' }],
      add: [{ delegator: { code: 'C-2' }, delegate: { code: 'C-3' } }],
      removedIds: ['d-1'],
      removedDelegators: [],
      removedDelegates: [{ code: 'C-4' }, { code: 'C-5' }],
    }
    expect(readScenario(textsOf(saved))).toEqual({
      variables: {
        ...{ domainId: 'health', scope: 'sign', groupId: 'north', electorate: 10, maxChain: 0, directVoters: ['C-1'] },
        add: [{ delegator: 'C-2', delegate: 'C-3' }],
        remove: { ids: ['d-1'], delegators: [], delegates: ['C-4', 'C-5'] },
      },
    })
  })
})
