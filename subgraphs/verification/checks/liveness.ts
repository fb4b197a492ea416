import type { FrameEvidence } from '../liveness/analyse-frames.ts'
import type { Step } from '../vocabulary.ts'
import { type Check, combined, type NamedCheck, named } from './check.ts'
import type { LivenessEvidence } from './evidence.ts'
import { verdictOfLikeness } from './face-comparison.ts'
import { type Finding, type Reason, review } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'

type Turn = Extract<Step, 'turn_left' | 'turn_right' | 'look_up'>

/** Checks the liveness challenge. @returns no check without a challenge */
export function checkLiveness(
  liveness: LivenessEvidence | undefined,
  thresholds: Thresholds,
): { readonly check?: Check; readonly findings: readonly Finding[] } {
  if (liveness === undefined) return { findings: [] }
  const judged = [timeOf(liveness), personOf(liveness, thresholds), depthOf(liveness, thresholds), stepsOf(liveness, thresholds)]
  const findings = [...new Set(judged.flatMap(({ reason }) => reason ?? []))].map(review)
  // set only for a passed challenge
  const verdict = findings.length === 0 ? 'live' : undefined
  const check = combined(
    judged.map(({ part }) => part),
    { verdict, asked: liveness.steps.join(' '), frames: liveness.frames.length },
  )
  return { check, findings }
}

/** fraction of the threshold of a turn */
const halfway = 0.5

interface JudgedCheck {
  readonly part: NamedCheck
  readonly reason: Reason | undefined
}
const judge = (name: string, reason: Reason | undefined, facts: Readonly<Record<string, string | number | undefined>>): JudgedCheck => ({
  part: named(name, reason === undefined ? 'clear' : 'consider', facts),
  reason,
})

/** Checks the time by the database clock; no frame can be later than the submission. */
function timeOf({ isLate, elapsedMs, frames }: LivenessEvidence): JudgedCheck {
  const lastMs = frames.at(-1)?.atMs ?? 0
  return judge('time', isLate || lastMs > elapsedMs ? 'challenge_late' : undefined, { elapsed_ms: elapsedMs, last_frame_ms: lastMs })
}

/**
 * Checks that all frames show the person of the selfie: the first, frontal frame by the threshold of the same person, the others by that of
 * another person.
 */
function personOf({ frames }: LivenessEvidence, thresholds: Thresholds): JudgedCheck {
  const [first, ...others] = frames
  const crowded = frames.filter(({ faces }) => faces > 1).length
  const isSelfies = first?.toSelfie !== undefined && verdictOfLikeness(first.toSelfie, thresholds) === 'same_person'
  const strange = others.filter((frame) => isAnother(frame, thresholds)).length
  const farthest = Math.max(0, ...frames.flatMap(({ toFirst }) => toFirst?.distance ?? []))
  const fails = crowded > 0 || (first?.faces === 1 && !isSelfies) || strange > 0
  return judge('one_person', fails ? 'challenge_other_person' : undefined, {
    distance_to_selfie: first?.toSelfie?.distance,
    farthest_from_first: farthest,
    of_another: strange,
    of_several: crowded,
  })
}

/** Returns whether a frame shows another person. A turned head resembles the frontal one less, so the threshold for poor images applies. */
function isAnother({ toFirst, motion }: FrameEvidence, thresholds: Thresholds): boolean {
  if (toFirst === undefined) return false
  const isTurned = motion !== undefined && outOf(motion, thresholds).by > halfway
  const lines = isTurned ? { ...thresholds, faceOther: thresholds.faceOtherPoor } : thresholds
  return verdictOfLikeness(toFirst, lines) === 'another_person'
}

/** Checks depth: a picture of a face stays flat however it is moved, and a repeated frame is not new. */
function depthOf({ frames, repeated }: LivenessEvidence, thresholds: Thresholds): JudgedCheck {
  const depth = Math.max(0, ...frames.map(({ motion }) => (motion === undefined ? 0 : outOf(motion, thresholds).by)))
  return judge('depth', depth < 1 || repeated > 0 ? 'challenge_flat' : undefined, { depth, repeated })
}

/**
 * Checks the turns: exactly the requested ones in order, so that a film of all movements fails; other movements must occur in their place
 * among them.
 */
function stepsOf({ steps, frames }: LivenessEvidence, thresholds: Thresholds): JudgedCheck {
  const [, ...moving] = frames
  const turns = moving.map((frame) => turnIn(frame, thresholds))
  const seen = turns.filter((turn) => turn !== undefined).filter((turn, index, all) => turn !== all[index - 1])
  const requested = steps.filter((step) => isTurn(step))
  let from = 0
  const missed = steps.find((step) => {
    const at = moving.findIndex((frame, index) => index >= from && shows(frame, step, thresholds))
    from = at + 1
    return at < 0
  })
  const inOrder = missed === undefined && seen.join() === requested.join()
  return judge('steps', inOrder ? undefined : 'challenge_incomplete', {
    turns_seen: seen.join(' '),
    not_seen: missed,
    without_face: frames.filter(({ faces }) => faces === 0).length,
  })
}

const isTurn = (step: Step): step is Turn => step === 'turn_left' || step === 'turn_right' || step === 'look_up'

function shows(frame: FrameEvidence, step: Step, thresholds: Thresholds): boolean {
  const { motion, toFirst, eyes = 1 } = frame
  // a frame that proves a step must certainly show the same person
  if (motion === undefined || toFirst === undefined || verdictOfLikeness(toFirst, thresholds) === 'another_person') return false
  if (isTurn(step)) return turnIn(frame, thresholds) === step
  if (step === 'move_closer') return motion.size >= thresholds.faceCloser
  // eyes of a turned head look different
  return turnIn(frame, thresholds) === undefined && eyes <= thresholds.eyesClosed
}

function turnIn({ motion }: FrameEvidence, thresholds: Thresholds): Turn | undefined {
  if (motion === undefined) return undefined
  const { turn, by } = outOf(motion, thresholds)
  return by >= 1 ? turn : undefined
}

/** Returns the largest nose movement as a multiple of the threshold. */
function outOf({ left, up }: NonNullable<FrameEvidence['motion']>, { headTurn, headUp }: Thresholds): { turn: Turn; by: number } {
  const [aside, above] = [Math.abs(left) / headTurn, up / headUp]
  if (above > aside) return { turn: 'look_up', by: above }
  return { turn: left > 0 ? 'turn_left' : 'turn_right', by: aside }
}
