import type { PageQuality } from '../../../engines/document-reader/document-reader.ts'
import type { FaceLikeness } from '../../../engines/face-analyser/face-analyser.ts'
import type { Check } from '../checks/check.ts'
import type { ComparedData } from '../checks/data-comparison.ts'
import type { ValidatedData } from '../checks/data-validation.ts'
import type { Evidence, FaceEvidence } from '../checks/evidence.ts'
import type { Thresholds } from '../checks/thresholds.ts'

/** From 0 to 1, higher is better; absent when the check did not run. */
export interface Scores {
  overall?: number
  faceMatch?: number
  selfieQuality?: number
  documentQuality?: number
  ocrConfidence?: number
  mrzValidity?: number
  nameSimilarity?: number
  dataMatch?: number
}

const weights: Readonly<Record<Exclude<keyof Scores, 'overall'>, number>> = {
  faceMatch: 8,
  nameSimilarity: 4,
  dataMatch: 3,
  mrzValidity: 2,
  ocrConfidence: 1,
  selfieQuality: 1,
  documentQuality: 1,
}

const unit = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e4) / 1e4
const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

export function scoresOf(evidence: Evidence, data: ComparedData, validation: ValidatedData, thresholds: Thresholds): Scores {
  const { selfie, faceLikeness } = evidence
  const pages = [evidence.frontText, evidence.backText].filter((text) => text !== undefined)
  const read = pages.filter(({ lines, mrz }) => lines.length > 0 || mrz !== undefined)
  const face = selfie.faces[0]
  const measured: Partial<Record<keyof typeof weights, number | undefined>> = {
    faceMatch: faceLikeness && faceMatch(faceLikeness, thresholds),
    selfieQuality: face === undefined ? undefined : faceQuality(face, thresholds),
    documentQuality: mean(pages.map(({ quality }) => pageQuality(quality, thresholds))),
    ocrConfidence: mean(
      read.map(({ confidence, mrz, lines }) => mean([...(lines.length > 0 ? [confidence] : []), ...(mrz ? [mrz.confidence] : [])]) ?? 0),
    ),
    mrzValidity: validation.mrzValidity,
    nameSimilarity: data.nameSimilarity,
    dataMatch: confirmed(Object.values(data.checks)),
  }
  let [sum, total] = [0, 0]
  const scores: Scores = {}
  // Object.entries drops the type of the keys
  for (const [name, value] of Object.entries(measured) as [keyof typeof weights, number | undefined][]) {
    if (value === undefined) continue
    scores[name] = unit(value)
    sum += unit(value) * weights[name]
    total += weights[name]
  }
  return total === 0 ? scores : { overall: unit(sum / total), ...scores }
}

/** 1 for equal faces, 0.5 at the threshold of another person */
function faceMatch({ distance, cosine }: FaceLikeness, { faceOther, likenessOther }: Thresholds): number {
  return cosine === undefined ? 1 - distance / (2 * faceOther) : 0.5 + (cosine - likenessOther) / (2 * (1 - likenessOther))
}

/** Returns the share of comparable declared data that the document confirms. */
function confirmed(checks: readonly Check[]): number | undefined {
  return mean(checks.filter(({ result }) => result !== 'unidentified').map(({ result }) => (result === 'clear' ? 1 : 0)))
}

/** Returns the minimum of sharpness, size and light; 1 at twice the accepted size and twice the threshold of softness. */
function faceQuality({ sharpness, width, brightness }: FaceEvidence, thresholds: Thresholds): number {
  const middle = (thresholds.faceDark + thresholds.faceBright) / 2
  const light = 1 - Math.abs(brightness - middle) / (thresholds.faceBright - thresholds.faceDark)
  return Math.min(unit(sharpness / (2 * thresholds.faceSoft)), unit(width / (2 * thresholds.faceWidth)), unit(light * 1.5))
}

function pageQuality({ sharpness, brightness, glare, cutSides }: PageQuality, thresholds: Thresholds): number {
  return Math.min(
    unit(sharpness / (2 * thresholds.pageSharpness)),
    unit(brightness / (2 * thresholds.pageDark)),
    unit(1 - glare / (2 * thresholds.pageGlare)),
    cutSides > 0 ? 0.5 : 1,
  )
}
