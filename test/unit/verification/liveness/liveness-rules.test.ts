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
  it('that is passed has the verdict live, with its evidence', () => {
    const { verdict, reasons, check } = judged()
    expect({ verdict, reasons, result: check?.result }).toEqual({ verdict: 'live', reasons: [], result: 'clear' })
    expect(check?.breakdown?.map(({ name }) => name)).toEqual(['time', 'one_person', 'depth', 'steps'])
  })

  it('without an answer is no check', () => {
    expect(checkLiveness(undefined, defaultThresholds)).toEqual({ findings: [] })
  })

  const other = { distance: 0.9 }
  it.each<[string, Partial<LivenessEvidence>, string[]]>([
    ['late', { isLate: true }, ['challenge_late']],
    ['with a frame of a moment after the submission', { elapsedMs: 8999 }, ['challenge_late']],
    ['in another order', { steps: ['look_up', 'turn_left', 'blink'] }, ['challenge_incomplete']],
    ['without a step', { steps: ['turn_left', 'look_up', 'turn_right'] }, ['challenge_incomplete']],
    ['with an additional turn', { frames: [...frames, frameOf(10_000, { left: -0.2 })] }, ['challenge_incomplete']],
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
      'without depth',
      { frames: frames.map((frame) => ({ ...frame, motion: { left: 0.05, up: 0.03, size: 1.4 } })) },
      ['challenge_flat', 'challenge_incomplete'],
    ],
    ['with a frame sent twice', { repeated: 1 }, ['challenge_flat']],
  ])('%s is failed, with the reasons', (_, change, reasons) => {
    expect(judged(change)).toMatchObject({ verdict: undefined, reasons, check: { result: 'consider' } })
  })

  it('tolerates a frame without a face, and an additional blink', () => {
    expect(
      judged({ frames: [straight, { atMs: 1000, faces: 0 }, ...frames.slice(1, 3), frameOf(5000, {}, { eyes: 0.4 }), ...frames.slice(3)] })
        .verdict,
    ).toBe('live')
  })

  it('counts a step only in a frame whose face is within the threshold for photographs', () => {
    const unlike = frames.map((frame) => (frame.motion?.left ? { ...frame, toFirst: { distance: 0.7 } } : frame))
    expect(judged({ frames: unlike }).reasons).toEqual(['challenge_incomplete'])
  })
})

/** A head in space: eyes and mouth in a plane, the nose in front of it. Lengths in pixels; x to the person's left, y down. */
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

type Projection = (point: { x: number; y: number; z: number }) => Place
const projected = (projection: Projection): readonly Place[] => head.map(projection)
const ahead: Projection = ({ x, y }) => ({ x: 300 + x, y: 200 + y })
const radians = (degrees: number): number => (degrees * Math.PI) / 180
/** the projection from 500 pixels away */
const turned =
  (yaw: number, pitch = 0): Projection =>
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
  (projection: Projection): Projection =>
  ({ x, y }) =>
    projection({ x, y, z: 0 })
const motion = (after: Projection) => headMotion(projected(ahead), projected(after)) ?? expect.fail('the corners span no plane')

describe('the motion of a head', () => {
  it('is zero when the head is still', () => {
    expect(motion(ahead)).toEqual({ left: expect.closeTo(0, 9), up: expect.closeTo(0, 9), size: expect.closeTo(1, 9) })
  })

  it.each([20, 25, 35])('turned by %d degrees has the sign of its side', (degrees) => {
    expect(motion(turned(degrees)).left).toBeGreaterThan(0.09)
    expect(motion(turned(-degrees)).left).toBeCloseTo(-motion(turned(degrees)).left, 9)
    expect(motion(turned(0, degrees)).up).toBeGreaterThan(0.07)
    expect(motion(turned(0, -degrees)).up).toBeLessThan(0)
  })

  it('is measured for any orientation of the camera', () => {
    const tilted: Projection = (point) => {
      const { x, y } = turned(30)(point)
      return { x: x * Math.cos(0.3) - y * Math.sin(0.3), y: x * Math.sin(0.3) + y * Math.cos(0.3) }
    }
    expect(motion(tilted).left).toBeCloseTo(motion(turned(30)).left, 6)
  })

  it('towards the camera changes only the size', () => {
    expect(motion(({ x, y }) => ({ x: 1.3 * x, y: 1.3 * y }))).toMatchObject({ left: expect.closeTo(0, 9), size: expect.closeTo(1.3, 9) })
  })

  it.each<[string, Projection]>([
    ['sheared', ({ x, y }) => ({ x: x + 0.4 * y, y })],
    ['squeezed', ({ x, y }) => ({ x: 0.5 * x, y })],
    ['turned round', ({ x, y }) => ({ x: -y, y: x })],
    ['moved', ({ x, y }) => ({ x: x + 90, y: y - 40 })],
    ['all of these', ({ x, y }) => ({ x: 0.7 * x + 0.3 * y + 5, y: 0.2 * x + 1.2 * y })],
  ])('of a picture that is %s is zero', (_, projection) => {
    const { left, up } = motion(flat(projection))
    expect(Math.hypot(left, up)).toBeLessThan(1e-9)
  })

  it.each([20, 40, -40])('of a photograph tilted by %d degrees stays below the thresholds', (degrees) => {
    for (const projection of [turned(degrees), turned(0, degrees)]) {
      const { left, up } = motion(flat(projection))
      expect(Math.abs(left)).toBeLessThan(defaultThresholds.headTurn / 2)
      expect(Math.abs(up)).toBeLessThan(defaultThresholds.headUp)
    }
  })

  it('is unknown when the eyes coincide', () => {
    expect(
      headMotion(
        projected(ahead),
        projected(() => ({ x: 1, y: 1 })),
      ),
    ).toBeUndefined()
  })

  it('is unknown when the corners of eyes and mouth are collinear', () => {
    expect(
      headMotion(
        projected(() => ({ x: 1, y: 1 })),
        projected(ahead),
      ),
    ).toBeUndefined()
  })
})
