import { type Check, checkOf } from '../check.ts'
import type { Evidence, FaceEvidence } from '../evidence.ts'
import { type Finding, grave, review } from '../reasons.ts'
import type { Thresholds } from '../thresholds.ts'

export type FaceVerdict = 'another_person' | 'uncertain' | 'same_person'

/** What the distance of two faces says. poor: one of them is too blurred or small to be sure. @param distance - Euclidean */
export function verdictOf(
  own: FaceEvidence,
  other: FaceEvidence,
  distance: number,
  thresholds: Thresholds,
): { readonly verdict: FaceVerdict; readonly threshold: number; readonly poor: boolean } {
  const poor = own.sharpness < thresholds.faceSharpness || own.width < thresholds.faceWidth || other.width < thresholds.faceWidth
  const threshold = poor ? thresholds.faceOtherPoor : thresholds.faceOther
  return {
    verdict: distance > threshold ? 'another_person' : distance > thresholds.faceSame || poor ? 'uncertain' : 'same_person',
    threshold,
    poor,
  }
}

/** Whether the selfie and the photograph of the document show one person. */
export function compareFaces(
  { selfie, front, back, faceDistance }: Evidence,
  thresholds: Thresholds,
): { checks: { faceMatch: Check }; findings: readonly Finding[] } {
  const [own, printed] = [selfie.faces[0], front.faces[0] ?? back?.faces[0]]
  // without one of the faces there is nothing to compare; that it is missing is found elsewhere
  if (faceDistance === undefined || own === undefined || printed === undefined) {
    return { checks: { faceMatch: checkOf('unidentified') }, findings: [] }
  }
  const small = printed.width < thresholds.faceWidth
  const { verdict, threshold, poor } = verdictOf(own, printed, faceDistance, thresholds)
  // in a picture of several persons, or of their documents, the face compared may be the wrong one
  const sure = (front.otherPersons ?? 0) === 0 && selfie.faces.length === 1
  const uncertain = review(small && faceDistance <= thresholds.faceSame ? 'blurred_photo' : 'face_mismatch')
  const findings = {
    another_person: [sure ? grave('face_mismatch') : review('face_mismatch')],
    uncertain: [uncertain],
    same_person: [],
  }[verdict]
  return {
    checks: { faceMatch: checkOf(verdict === 'same_person' ? 'clear' : 'consider', { distance: faceDistance, threshold, verdict }) },
    // a poor face that is near enough is no mismatch; its poorness is a finding of its own
    findings: poor && faceDistance <= thresholds.faceSame && printed.width >= thresholds.faceWidth ? [] : findings,
  }
}
