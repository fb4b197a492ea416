import { type Check, checkOf } from '../check.ts'
import type { ChipEvidence, Evidence } from '../evidence.ts'
import { factsOf, verdictOf } from '../face-comparison.ts'
import { hiddenBy } from '../hidden-face.ts'
import { type Finding, rejecting, review } from '../reasons.ts'
import type { Thresholds } from '../thresholds.ts'

/** Compares the selfie with the portrait on the chip. @param isAuthentic - the chip is authentic  @param isChild - the holder is a child */
export function comparePortrait(
  { selfie, faceModel }: Evidence,
  { portrait }: Extract<ChipEvidence, { zone: unknown }>,
  isAuthentic: boolean,
  isChild: boolean,
  thresholds: Thresholds,
): { readonly check: Check; readonly findings: readonly Finding[] } {
  if ('problem' in portrait)
    return { check: checkOf('unidentified', { note: portrait.problem }), findings: [review('chip_portrait_unreadable')] }
  const [own] = selfie.faces
  const { face, likeness } = portrait
  if (face === undefined)
    return { check: checkOf('unidentified', { note: 'the portrait shows no face' }), findings: [review('chip_portrait_unreadable')] }
  // a missing face in the selfie is reported elsewhere
  if (own === undefined || likeness === undefined) return { check: checkOf('unidentified'), findings: [] }
  const judgement = verdictOf(own, face, likeness, thresholds)
  const { verdict, poor, near } = judgement
  const facts = factsOf(likeness, judgement, faceModel)
  if (verdict === 'same_person') return { check: checkOf('clear', facts), findings: [] }
  const isOther =
    verdict === 'another_person' && isAuthentic && selfie.faces.length === 1 && hiddenBy(own, thresholds).length === 0 && !isChild
  // a poor but similar face is not a mismatch; its quality is a finding of its own
  const isPoorAlone = poor && near
  return {
    check: checkOf('consider', facts),
    findings: isOther ? [rejecting('face_mismatch')] : isPoorAlone ? [] : [review('face_mismatch')],
  }
}
