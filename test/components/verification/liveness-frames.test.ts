import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawFace, drawGroup } from '../../../demonstration/documents/selfie.ts'
import { onnxFaceAnalyser } from '../../../engines/face-analyser/onnx-face-analyser.ts'
import { silentLog } from '../../../foundation/log.ts'
import { checkLiveness } from '../../../subgraphs/verification/checks/liveness.ts'
import { defaultThresholds } from '../../../subgraphs/verification/checks/thresholds.ts'
import { analyseFrames } from '../../../subgraphs/verification/liveness/analyse-frames.ts'
import type { Step } from '../../../subgraphs/verification/vocabulary.ts'
import { framesOf, photographOf } from '../../support/samples/challenge-frames.ts'

const analyser = onnxFaceAnalyser({ threads: 1, executionProviders: ['cpu'], log: silentLog })
const never = new AbortController().signal
beforeAll(() => analyser.start(AbortSignal.timeout(60_000)))
afterAll(() => analyser.stop())

/** Judges images as frames of a challenge for the person on a drawn selfie. */
async function judged(pictures: readonly Uint8Array[], steps: readonly Step[], seed = 5) {
  const { faces } = await analyser.analyse(await drawFace(seed), 'selfie', never)
  const sent = pictures.map((bytes, index) => ({ bytes, atMs: index * 1000 }))
  const analysed = await analyseFrames(analyser, sent, faces[0], never)
  const { check, findings } = checkLiveness({ steps, elapsedMs: 30_000, isLate: false, ...analysed }, defaultThresholds)
  return {
    isLive: check?.properties?.some((fact) => 'text' in fact && fact.text === 'live') ?? false,
    reasons: findings.map(({ reason }) => reason),
  }
}

const turns: readonly Step[] = ['turn_left', 'look_up', 'turn_right']

describe('frames of a challenge', { timeout: 120_000 }, () => {
  it.each<[readonly Step[]]>([[turns], [['blink', 'turn_right', 'move_closer']], [['look_up', 'move_closer', 'blink']]])(
    'of a head that does %j are live',
    async (steps) => {
      expect(await judged(await framesOf(5, steps), steps)).toEqual({ isLive: true, reasons: [] })
    },
  )

  it('in another order are not live', async () => {
    expect(await judged(await framesOf(5, ['turn_right', 'look_up', 'turn_left']), turns)).toEqual({
      isLive: false,
      reasons: ['challenge_incomplete'],
    })
  })

  it.each<[readonly Step[]]>([[turns], [['move_closer', 'turn_left', 'turn_right']]])(
    'of a photograph, sheared, tilted and moved like %j, are flat',
    async (steps) => {
      const { isLive, reasons } = await judged(await photographOf(5, steps), steps)
      expect(isLive).toBe(false)
      expect(reasons).toContain('challenge_flat')
    },
  )

  it('that alternate between two people do not show one person', async () => {
    const [own, other] = [await framesOf(5, turns), await framesOf(23, turns)]
    const { isLive, reasons } = await judged(
      own.map((frame, index) => (index < 3 ? frame : (other[index] ?? frame))),
      turns,
    )
    expect(isLive).toBe(false)
    expect(reasons[0]).toBe('challenge_other_person')
  })

  it('of another person do not match the selfie', async () => {
    expect(await judged(await framesOf(23, turns), turns)).toEqual({ isLive: false, reasons: ['challenge_other_person'] })
  })

  it('of several people at once are rejected', async () => {
    const frames = await framesOf(5, turns)
    expect((await judged([...frames, await drawGroup([5, 23])], turns)).reasons).toEqual(['challenge_other_person'])
  })

  it('without a face or without an image are neither refused nor live', async () => {
    const nothing = [0, 1, 2, 3].map((place) => Buffer.from(`no picture ${place}`))
    expect(await judged(nothing, turns)).toEqual({ isLive: false, reasons: ['challenge_flat', 'challenge_incomplete'] })
  })

  it('that repeat one image are flat', async () => {
    const picture = await drawFace(5)
    expect((await judged([picture, picture, picture, picture], turns)).reasons).toContain('challenge_flat')
  })
})
