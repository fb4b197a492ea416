import type { FaceEvidence } from './evidence.ts'
import type { Reason } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'

/** Returns what covers a face: too little of it remains for a comparison, so a person should review it. */
export function hiddenBy({ covering }: Pick<FaceEvidence, 'covering'>, { eyesCovered, mouthCovered }: Thresholds): readonly Reason[] {
  const reasons: Reason[] = []
  if (covering.eyes > eyesCovered) reasons.push('sunglasses')
  if (covering.mouth > mouthCovered) reasons.push('covered_face')
  return reasons
}
