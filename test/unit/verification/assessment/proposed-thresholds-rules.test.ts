import { describe, expect, it } from 'vitest'
import { defaultThresholds } from '../../../../subgraphs/verification/checks/thresholds.ts'
import { proposeLines, wilsonUpper } from '../../../../subgraphs/verification/commands/propose-thresholds.ts'

/** evenly spaced distances */
const spread = (count: number, from: number, to: number): number[] =>
  Array.from({ length: count }, (_, at) => from + ((to - from) * at) / (count - 1))
const casesOf = (onePerson: number[], twoPeople: number[]) => ({ model: undefined, onePerson, twoPeople })

describe('thresholds proposed from decided cases', () => {
  it('accept no other person and reject no holder, with undecided cases between them', () => {
    const proposal = proposeLines(casesOf(spread(101, 0.4, 0.66), spread(51, 0.55, 0.75)), defaultThresholds, 50)
    expect(proposal).toMatchObject([
      {
        name: 'faceSame',
        now: defaultThresholds.faceSame,
        proposed: 0.549,
        wrongNow: { count: 0, of: 51 },
        wrongProposed: { count: 0, of: 51 },
      },
      { name: 'faceOther', now: defaultThresholds.faceOther, proposed: 0.661, wrongNow: { of: 101 }, wrongProposed: { count: 0, of: 101 } },
    ])
    expect(proposal?.[1].wrongNow.count).toBeGreaterThan(5)
  })

  it('are adjacent when the distances of the two kinds do not overlap', () => {
    const [same, other] = proposeLines(casesOf(spread(50, 0.4, 0.5), spread(50, 0.7, 0.8)), defaultThresholds, 50) ?? []
    expect([same?.proposed, other?.proposed]).toEqual([0.5, 0.501])
  })

  it('are in order when all other persons are nearer than the holders', () => {
    const [same, other] = proposeLines(casesOf(spread(50, 0.5, 0.6), spread(50, 0.1, 0.2)), defaultThresholds, 50) ?? []
    expect([same?.proposed, other?.proposed]).toEqual([0.099, 0.601])
  })

  it('are not proposed from too few cases of either kind', () => {
    expect(proposeLines(casesOf(spread(49, 0, 1), spread(500, 0, 1)), defaultThresholds, 50)).toBeUndefined()
    expect(proposeLines(casesOf(spread(500, 0, 1), []), defaultThresholds, 50)).toBeUndefined()
  })
})

describe('the upper bound of a rate', () => {
  it.each([
    [0, 0, 1],
    [0, 100, 0.0264],
    [5, 100, 0.0992],
    [100, 100, 1],
  ])('%s of %s', (count, of, upper) => expect(wilsonUpper(count, of)).toBeCloseTo(upper, 3))
})
