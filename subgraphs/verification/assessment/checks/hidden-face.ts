import type { FaceEvidence } from '../evidence.ts'
import type { Reason } from '../reasons.ts'
import type { Thresholds } from '../thresholds.ts'

/** What hides a part of a face: what is left of it is too little to be compared, and somebody should look. */
export function hiddenBy({ covering }: Pick<FaceEvidence, 'covering'>, { eyesCovered, mouthCovered }: Thresholds): readonly Reason[] {
  const reasons: Reason[] = []
  if (covering.eyes > eyesCovered) reasons.push('sunglasses')
  if (covering.mouth > mouthCovered) reasons.push('covered_face')
  return reasons
}
