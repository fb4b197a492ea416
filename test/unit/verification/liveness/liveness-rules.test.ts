import { describe, expect, it } from 'vitest'
import type { LivenessEvidence } from '../../../../subgraphs/verification/checks/evidence.ts'
import { checkLiveness } from '../../../../subgraphs/verification/checks/liveness.ts'
import { defaultThresholds } from '../../../../subgraphs/verification/checks/thresholds.ts'
import { headMotion, type Place } from '../../../../subgraphs/verification/liveness/head-motion.ts'
import { answered, frameOf } from '../../../support/samples/answered-challenge.ts'

const judged = (change: Partial<LivenessEvidence> = {}) => {
  const { check, findings } = checkLiveness({ ...answered, ...change }, defaultThresholds)
  const verdict = check?.properties?.find(({ key }) => key === 'verdict')
  return { verdict: verdict && 'text' in verdict ? verdict.text : undefined, reasons: findings.map(({ reason }) => reason), check }
}
const { frames } = answered
const [straight = frameOf(0)] = frames

describe('a challenge', () => {
  it('that was passed says live, with its evidence', () => {
    const { verdict, reasons, check } = judged()
    expect({ verdict, reasons, result: check?.result }).toEqual({ verdict: 'live', reasons: [], result: 'clear' })
    expect(check?.breakdown?.map(({ name }) => name)).toEqual(['time', 'one_person', 'depth', 'steps'])
  })

  it('that nobody answered is no check at all', () => {
    expect(checkLiveness(undefined, defaultThresholds)).toEqual({ findings: [] })
  })

  const other = { distance: 0.9 }
  it.each<[string, Partial<LivenessEvidence>, string[]]>([
    ['late', { isLate: true }, ['challenge_late']],
    ['with a frame of a moment after the submission', { elapsedMs: 8999 }, ['challenge_late']],
    ['in another order', { steps: ['look_up', 'turn_left', 'blink'] }, ['challenge_incomplete']],
    ['without a step', { steps: ['turn_left', 'look_up', 'turn_right'] }, ['challenge_incomplete']],
    ['with a turn that nobody asked for', { frames: [...frames, frameOf(10_000, { left: -0.2 })] }, ['challenge_incomplete']],
    [
      'where the eyes close only while the head is turned',
      { frames: frames.map((frame) => (frame.eyes === 0.5 ? frameOf(8000) : frame.motion?.left ? { ...frame, eyes: 0.4 } : frame)) },
      ['challenge_incomplete'],
    ],
    ['with frames of no face', { frames: frames.map(({ atMs }) => ({ atMs, faces: 0 })) }, ['challenge_flat', 'challenge_incomplete']],
    ['of another person throughout', { frames: frames.map((frame) => ({ ...frame, toSelfie: other })) }, ['challenge_other_person']],
    ['with another person in one frame', { frames: [...frames, frameOf(10_000, {}, { toFirst: other })] }, ['challenge_other_person']],
    ['with two people in a frame', { frames: [...frames, frameOf(10_000, {}, { faces: 2 })] }, ['challenge_other_person']],
    [
      'with nothing that stands out',
      { frames: frames.map((frame) => ({ ...frame, motion: { left: 0.05, up: 0.03, size: 1.4 } })) },
      ['challenge_flat', 'challenge_incomplete'],
    ],
    ['with a frame sent twice', { repeated: 1 }, ['challenge_flat']],
  ])('%s is not passed, and says why', (_, change, reasons) => {
    expect(judged(change)).toMatchObject({ verdict: undefined, reasons, check: { result: 'consider' } })
  })

  it('bears a frame without a face, and a blink that nobody asked for', () => {
    expect(
      judged({ frames: [straight, { atMs: 1000, faces: 0 }, ...frames.slice(1, 3), frameOf(5000, {}, { eyes: 0.4 }), ...frames.slice(3)] })
        .verdict,
    ).toBe('live')
  })

  it('counts a step only by a frame that is no other person’s by the line of photographs', () => {
    const unlike = frames.map((frame) => (frame.motion?.left ? { ...frame, toFirst: { distance: 0.7 } } : frame))
    expect(judged({ frames: unlike }).reasons).toEqual(['challenge_incomplete'])
  })
})

/** A head in space: eyes and mouth in a plane, the nose before it. Lengths in pixels; x to the person's left, y down. */
const head = Array.from({ length: 68 }, () => ({ x: 0, y: 0, z: 0 }))
for (const [index, x, y, z] of [
  [36, -45, 0, 0],
  [39, -17, 0, 0],
  [42, 17, 0, 0],
  [45, 45, 0, 0],
  [48, -25, 70, 0],
  [54, 25, 70, 0],
  [30, 0, 42, 28],
  [33, 0, 50, 16],
] as const)
  head[index] = { x, y, z }

type Seen = (point: { x: number; y: number; z: number }) => Place
const seen = (how: Seen): readonly Place[] => head.map(how)
const ahead: Seen = ({ x, y }) => ({ x: 300 + x, y: 200 + y })
const radians = (degrees: number): number => (degrees * Math.PI) / 180
/** seen from 500 pixels away */
const turned =
  (yaw: number, pitch = 0): Seen =>
  ({ x, y, z }) => {
    const [across, near] = [
      x * Math.cos(radians(yaw)) + z * Math.sin(radians(yaw)),
      z * Math.cos(radians(yaw)) - x * Math.sin(radians(yaw)),
    ]
    const [down, nearer] = [
      y * Math.cos(radians(pitch)) - near * Math.sin(radians(pitch)),
      near * Math.cos(radians(pitch)) + y * Math.sin(radians(pitch)),
    ]
    const share = 500 / (500 - nearer)
    return { x: 300 + across * share, y: 200 + down * share }
  }
const flat =
  (how: Seen): Seen =>
  ({ x, y }) =>
    how({ x, y, z: 0 })
const motion = (after: Seen) => headMotion(seen(ahead), seen(after)) ?? expect.fail('the corners span no plane')

describe('the motion of a head', () => {
  it('is nothing where it holds still', () => {
    expect(motion(ahead)).toEqual({ left: expect.closeTo(0, 9), up: expect.closeTo(0, 9), size: expect.closeTo(1, 9) })
  })

  it.each([20, 25, 35])('turned by %d degrees is seen on its side', (degrees) => {
    expect(motion(turned(degrees)).left).toBeGreaterThan(0.09)
    expect(motion(turned(-degrees)).left).toBeCloseTo(-motion(turned(degrees)).left, 9)
    expect(motion(turned(0, degrees)).up).toBeGreaterThan(0.07)
    expect(motion(turned(0, -degrees)).up).toBeLessThan(0)
  })

  it('is seen whichever way the camera is held', () => {
    const tilted: Seen = (point) => {
      const { x, y } = turned(30)(point)
      return { x: x * Math.cos(0.3) - y * Math.sin(0.3), y: x * Math.sin(0.3) + y * Math.cos(0.3) }
    }
    expect(motion(tilted).left).toBeCloseTo(motion(turned(30)).left, 6)
  })

  it('closer is larger, and nothing else', () => {
    expect(motion(({ x, y }) => ({ x: 1.3 * x, y: 1.3 * y }))).toMatchObject({ left: expect.closeTo(0, 9), size: expect.closeTo(1.3, 9) })
  })

  it.each<[string, Seen]>([
    ['sheared', ({ x, y }) => ({ x: x + 0.4 * y, y })],
    ['squeezed', ({ x, y }) => ({ x: 0.5 * x, y })],
    ['turned round', ({ x, y }) => ({ x: -y, y: x })],
    ['moved', ({ x, y }) => ({ x: x + 90, y: y - 40 })],
    ['everything at once', ({ x, y }) => ({ x: 0.7 * x + 0.3 * y + 5, y: 0.2 * x + 1.2 * y })],
  ])('of a picture that is %s is none', (_, how) => {
    const { left, up } = motion(flat(how))
    expect(Math.hypot(left, up)).toBeLessThan(1e-9)
  })

  it.each([20, 40, -40])('of a photograph that is tilted by %d degrees stays below the lines', (degrees) => {
    for (const how of [turned(degrees), turned(0, degrees)]) {
      const { left, up } = motion(flat(how))
      expect(Math.abs(left)).toBeLessThan(defaultThresholds.headTurn / 2)
      expect(Math.abs(up)).toBeLessThan(defaultThresholds.headUp)
    }
  })

  it('is unknown where the eyes lie on each other', () => {
    expect(
      headMotion(
        seen(ahead),
        seen(() => ({ x: 1, y: 1 })),
      ),
    ).toBeUndefined()
  })

  it('is unknown where the corners of eyes and mouth are in one line', () => {
    expect(
      headMotion(
        seen(() => ({ x: 1, y: 1 })),
        seen(ahead),
      ),
    ).toBeUndefined()
  })
})
