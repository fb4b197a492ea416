import type { FaceLikeness } from '../../../../engines/face-analyser/face-analyser.ts'
import type { DocumentFacts } from '../../document/document-facts.ts'
import { type Check, checkOf } from '../check.ts'
import type { Evidence, FaceEvidence } from '../evidence.ts'
import { type Finding, grave, review } from '../reasons.ts'
import type { Thresholds } from '../thresholds.ts'
import { childBy } from './child.ts'
import { hiddenBy } from './hidden-face.ts'

export type FaceVerdict = 'another_person' | 'uncertain' | 'same_person'

/** What was said of two faces, and by which lines. */
export interface FaceJudgement {
  readonly verdict: FaceVerdict
  /** the distance beyond which they are of two persons */
  readonly threshold: number
  /** one of them is too blurred or small to be sure */
  readonly poor: boolean
  /** near enough to be one person's, were they not poor */
  readonly near: boolean
}

/** What the likeness of two faces says: by both networks where both have looked, else by the distance alone. */
export function verdictOf(own: FaceEvidence, other: FaceEvidence, likeness: FaceLikeness, thresholds: Thresholds): FaceJudgement {
  const poor = own.sharpness < thresholds.faceSharpness || own.width < thresholds.faceWidth || other.width < thresholds.faceWidth
  // softness makes one person's pictures less alike, and not those of two more
  const soft = poor || own.sharpness < thresholds.faceSoft
  const { near, far, threshold } = linesFor(likeness, soft, thresholds)
  return { verdict: far ? 'another_person' : near && !poor ? 'same_person' : 'uncertain', threshold, poor, near }
}

/** The same of two faces that are neither poor nor soft. */
export function verdictOfLikeness(likeness: FaceLikeness, thresholds: Thresholds): FaceVerdict {
  const { near, far } = linesFor(likeness, false, thresholds)
  return far ? 'another_person' : near ? 'same_person' : 'uncertain'
}

/** A soft face is rejected only at a distance that no softness explains, whatever the other network makes of it. */
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

/** Facts beside the check; the network's cosine as it is, so that lines can be drawn anew on decided cases. */
export const factsOf = ({ distance, cosine }: FaceLikeness, { verdict, threshold }: FaceJudgement, model: string | undefined) => ({
  distance,
  threshold,
  cosine,
  verdict,
  model,
})

/** Whether the selfie and the photograph of the document show one person. */
export function compareFaces(
  evidence: Evidence,
  facts: DocumentFacts,
  thresholds: Thresholds,
): { checks: { faceMatch: Check }; findings: readonly Finding[] } {
  const { selfie, front, back, faceLikeness, faceModel } = evidence
  const child = childBy(evidence, facts, thresholds)
  const [own, printed] = [selfie.faces[0], front.faces[0] ?? back?.faces[0]]
  // without one of the faces there is nothing to compare; that it is missing is found elsewhere
  if (faceLikeness === undefined || own === undefined || printed === undefined) {
    return { checks: { faceMatch: checkOf('unidentified') }, findings: [] }
  }
  const small = printed.width < thresholds.faceWidth
  const judgement = verdictOf(own, printed, faceLikeness, thresholds)
  const { verdict, poor, near } = judgement
  // in a picture of several persons, or of their documents, the face compared may be the wrong one; of a hidden face, or a child's, little can be told
  const sure = (front.otherPersons ?? 0) === 0 && selfie.faces.length === 1 && child === undefined && hiddenBy(own, thresholds).length === 0
  const findings = {
    another_person: [sure ? grave('face_mismatch') : review('face_mismatch')],
    uncertain: [review(small && near ? 'blurred_photo' : 'face_mismatch')],
    same_person: [],
  }[verdict]
  const isClear = verdict === 'same_person' && child === undefined
  return {
    checks: { faceMatch: checkOf(isClear ? 'clear' : 'consider', { ...factsOf(faceLikeness, judgement, faceModel), child }) },
    // a poor face that is near enough is no mismatch; its poorness is a finding of its own
    findings: [...(poor && near && !small ? [] : findings), ...(child === undefined ? [] : [review('child')])],
  }
}
