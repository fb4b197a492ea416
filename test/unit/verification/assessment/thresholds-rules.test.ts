import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ConfigProblems, parseConfig } from '../../../../foundation/config/config.ts'
import { defaultThresholds, thresholdsWith } from '../../../../subgraphs/verification/checks/thresholds.ts'

const set = (text: string) => thresholdsWith(parseConfig({ VERIFICATION_THRESHOLDS: text }, '/').verification.thresholds)
const problemsOf = (text: string): readonly string[] => {
  try {
    set(text)
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
  return []
}

describe('the setting VERIFICATION_THRESHOLDS', () => {
  it('replaces the named thresholds and keeps the others', () => {
    expect(set('faceSame=0.45, faceWidth=80')).toEqual({ ...defaultThresholds, faceSame: 0.45, faceWidth: 80 })
    expect(set('')).toEqual(defaultThresholds)
  })

  it.each([
    ['faceSame', /VERIFICATION_THRESHOLDS must be name=number/],
    ['faceSame=-1', /VERIFICATION_THRESHOLDS must be name=number/],
    ['faceEqual=0.5', /unknown threshold faceEqual; use faceSame, faceOther/],
    ['constructor=1', /unknown threshold constructor/],
    ['nameSame=92', /nameSame must be between 0 and 1/],
    ['faceSame=0.7', /faceSame \(0.7\) must not be greater than faceOther \(0.62\)/],
  ])('refuses %s with a reason', (text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(problem)])
  })

  it('is documented with its default values', () => {
    const page = readFileSync(new URL('../../../../docs/evaluation/thresholds.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d.]+) \|/gm)].map(([, name, value]) => [name, Number(value)])
    expect(Object.fromEntries(rows)).toEqual(defaultThresholds)
  })
})
