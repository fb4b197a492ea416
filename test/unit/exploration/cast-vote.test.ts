import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { castVote } from '../../../subgraphs/exploration/votes/cast-vote.ts'

/** A store in which both kinds of votes succeed or fail alike. */
const storeOf = (cast: () => Promise<boolean>) => ({ castVote: cast, castPublicVote: cast })

/** An expression that is written after so many looks. */
function arriving(looksBefore: number) {
  let looks = 0
  return {
    store: storeOf(async () => looks >= looksBefore),
    intake: { holds: async () => looks++ < looksBefore },
  }
}

const vote = (expressionId: string = randomUUID()) => ({ expressionId, value: 'agree', voter: 'ab' }) as const
const inTime = (timeoutMs = 60_000): Deadline => new Deadline({ timeoutMs })

describe('a vote on what was said a moment ago', () => {
  it('waits until the expression is written', async () => {
    await castVote(arriving(3), vote(), inTime())
  })

  it('finds what was written and left the intake between two looks', async () => {
    let asked = 0
    const store = storeOf(async () => ++asked > 1)
    await castVote({ store, intake: { holds: async () => false } }, vote(), inTime())
  })

  it('is refused for what nobody said, and for what is no id', async () => {
    const never = { store: storeOf(async () => false), intake: { holds: async () => false } }
    await expect(castVote(never, vote(), inTime())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const mentioned = { ...never, intake: { holds: async () => true } }
    await expect(castVote(mentioned, vote('rows'), inTime())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('ends with the time of its request', async () => {
    const stuck = { store: storeOf(async () => false), intake: { holds: async () => true } }
    await expect(castVote(stuck, vote(), inTime(200))).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  it('is told that nothing was done while there is time to say so', async () => {
    const stuck = { store: storeOf(async () => false), intake: { holds: async () => true } }
    const deadline = inTime(1000)
    await expect(castVote(stuck, vote(), deadline)).rejects.toMatchObject({ message: expect.stringContaining('not stored yet') })
    expect(deadline.signal.aborted).toBe(false)
  })

  it('goes to the store by its class: with an allowance it is unverified', async () => {
    const cast: string[] = []
    const store = {
      castVote: async () => cast.push('verified') > 0,
      castPublicVote: async () => cast.push('unverified') > 0,
    }
    const engines = { store, intake: { holds: async () => false } }
    await castVote(engines, vote(), inTime())
    const allowance = { day: '2026-11-27', address: 'ab', perExpression: 1, perDay: 1 }
    await castVote(engines, { ...vote(), allowance }, inTime())
    expect(cast).toEqual(['verified', 'unverified'])
  })
})
