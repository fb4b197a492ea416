import type { FaceLikeness } from '../../../engines/face-analyser/face-analyser.ts'
import type { DocumentFacts } from '../document/document-facts.ts'
import { type Check, checkOf } from './check.ts'
import { childBy } from './child.ts'
import type { Evidence, FaceEvidence } from './evidence.ts'
import { hiddenBy } from './hidden-face.ts'
import { type Finding, rejecting, review } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'

export type FaceVerdict = 'another_person' | 'uncertain' | 'same_person'

/** A judgement of two faces and its threshold. */
export interface FaceJudgement {
  readonly verdict: FaceVerdict
  /** distance beyond which they are different persons */
  readonly threshold: number
  /** one of them is too blurred or small for certainty */
  readonly poor: boolean
  /** similar enough to be accepted, apart from the quality */
  readonly near: boolean
}

/** Judges the similarity of two faces with both networks, if available, otherwise by distance alone. */
export function verdictOf(own: FaceEvidence, other: FaceEvidence, likeness: FaceLikeness, thresholds: Thresholds): FaceJudgement {
  const poor = own.sharpness < thresholds.faceSharpness || own.width < thresholds.faceWidth || other.width < thresholds.faceWidth
  // softness reduces the similarity of one person's pictures, but not that of two persons
  const soft = poor || own.sharpness < thresholds.faceSoft
  const { near, far, threshold } = linesFor(likeness, soft, thresholds)
  return { verdict: far ? 'another_person' : near && !poor ? 'same_person' : 'uncertain', threshold, poor, near }
}

/** Judges two faces of good quality. */
export function verdictOfLikeness(likeness: FaceLikeness, thresholds: Thresholds): FaceVerdict {
  const { near, far } = linesFor(likeness, false, thresholds)
  return far ? 'another_person' : near ? 'same_person' : 'uncertain'
}

/** Returns thresholds: a soft face is rejected only at a distance that softness cannot explain, regardless of the other network. */
function linesFor({ distance, cosine }: FaceLikeness, soft: boolean, thresholds: Thresholds) {
  const alone = soft ? thresholds.faceOtherPoor : thresholds.faceOther
  if (cosine === undefined) return { near: distance <= thresholds.faceSame, far: distance > alone, threshold: alone }
  const threshold = soft ? Math.max(thresholds.faceOtherPoor, thresholds.faceApart) : thresholds.faceApart
  return {
    near: cosine >= thresholds.likenessSame && distance <= thresholds.faceApart,
    far: cosine < thresholds.likenessOther && distance > threshold,
    threshold,
  }
}

/** Returns the values of the check; the network's cosine is unrounded, so that thresholds can be recalibrated on decided cases. */
export const factsOf = ({ distance, cosine }: FaceLikeness, { verdict, threshold }: FaceJudgement, model: string | undefined) => ({
  distance,
  threshold,
  cosine,
  verdict,
  model,
})

/** Checks whether the selfie and the photograph of the document show the same person. */
export function compareFaces(
  evidence: Evidence,
  facts: DocumentFacts,
  thresholds: Thresholds,
): { checks: { faceMatch: Check }; findings: readonly Finding[] } {
  const { selfie, front, back, faceLikeness, faceModel } = evidence
  const child = childBy(evidence, facts, thresholds)
  const [own, printed] = [selfie.faces[0], front.faces[0] ?? back?.faces[0]]
  // a missing face is reported elsewhere
  if (faceLikeness === undefined || own === undefined || printed === undefined) {
    return { checks: { faceMatch: checkOf('unidentified') }, findings: [] }
  }
  const small = printed.width < thresholds.faceWidth
  const judgement = verdictOf(own, printed, faceLikeness, thresholds)
  const { verdict, poor, near } = judgement
  // with several persons or documents in the image the compared face may be the wrong one; hidden faces and those of children are
  // unreliable
  const isReliable =
    (front.otherPersons ?? 0) === 0 && selfie.faces.length === 1 && child === undefined && hiddenBy(own, thresholds).length === 0
  const findings = {
    another_person: [isReliable ? rejecting('face_mismatch') : review('face_mismatch')],
    uncertain: [review(small && near ? 'blurred_photo' : 'face_mismatch')],
    same_person: [],
  }[verdict]
  const isClear = verdict === 'same_person' && child === undefined
  return {
    checks: { faceMatch: checkOf(isClear ? 'clear' : 'consider', { ...factsOf(faceLikeness, judgement, faceModel), child }) },
    // a poor but similar face is not a mismatch; its quality is a finding of its own
    findings: [...(poor && near && !small ? [] : findings), ...(child === undefined ? [] : [review('child')])],
  }
}
