import { compareBarcodes } from '../checks/barcode-comparison.ts'
import type { Check } from '../checks/check.ts'
import { type ChipValidation, validateChip } from '../checks/chip/chip-validation.ts'
import { compareData, type DataComparison } from '../checks/data-comparison.ts'
import { checkConsistency } from '../checks/data-consistency.ts'
import { type DataValidation, validateData } from '../checks/data-validation.ts'
import { checkDuplicates } from '../checks/duplicate-search.ts'
import type { Evidence } from '../checks/evidence.ts'
import { compareFaces } from '../checks/face-comparison.ts'
import { checkImages, type ImageIntegrity } from '../checks/image-integrity.ts'
import { checkLiveness } from '../checks/liveness.ts'
import { type Finding, type Reason, reasonsOf } from '../checks/reasons.ts'
import { defaultThresholds, type Thresholds } from '../checks/thresholds.ts'
import { documentFacts } from '../document/document-facts.ts'
import { type DocumentReadings, readingsOf } from './read-values.ts'
import { type Scores, scoresOf } from './scores.ts'

/** All checks and findings, in the shape of the GraphQL type. */
export interface CrossValidations {
  /** empty when verified; most serious first */
  reasons: Reason[]
  /** those of `reasons` that reject; absent in results of earlier releases */
  rejecting?: Reason[]
  dataComparison?: DataComparison
  dataValidation?: DataValidation
  dataConsistency?: Check
  /** absent without a barcode */
  barcodes?: Check
  imageIntegrity?: ImageIntegrity
  faceComparison?: { faceMatch: Check }
  /** absent without chip data */
  chip?: ChipValidation
  /** absent without a challenge */
  liveness?: Check
  /** absent when the search is off */
  duplicates?: Check
}

export interface Assessment {
  readonly outcome: 'verified' | 'pending_review' | 'rejected'
  readonly crossValidations: CrossValidations
  readonly scores: Scores
  /** what was read from the document */
  readonly read: DocumentReadings
}

/** Judges a job from its evidence alone: a pure function; the evidence contains the time. */
export function assess(evidence: Evidence, thresholds: Thresholds = defaultThresholds): Assessment {
  const facts = documentFacts({ ...evidence, dateOfBirth: evidence.declared.dateOfBirth })
  const data = compareData(evidence, facts, thresholds)
  const validation = validateData(evidence, facts)
  const consistency = checkConsistency(evidence, facts, thresholds)
  const barcodes = compareBarcodes(facts, thresholds, evidence.sealKeys ?? new Map())
  const images = checkImages(evidence, facts, data.checks, thresholds)
  const faces = compareFaces(evidence, facts, thresholds)
  const liveness = checkLiveness(evidence.liveness, thresholds)
  const duplicates = checkDuplicates(evidence.duplicates, thresholds)
  const ofImages = [data, validation, consistency, barcodes, images, faces, liveness, duplicates].flatMap((group) => group.findings)
  const contradictions = [...consistency.findings, ...barcodes.findings].filter(({ reason }) => reason !== 'ocr_unreadable')
  const { checks: chip, findings } = validateChip(evidence, facts, ofImages, contradictions, thresholds)
  return {
    outcome: decideOutcome(findings),
    crossValidations: {
      reasons: reasonsOf(findings),
      rejecting: reasonsOf(findings.filter(({ rejecting }) => rejecting)),
      dataComparison: data.checks,
      dataValidation: validation.checks,
      dataConsistency: consistency.check,
      ...(barcodes.check && { barcodes: barcodes.check }),
      imageIntegrity: images.checks,
      faceComparison: faces.checks,
      ...(chip && { chip }),
      ...(liveness.check && { liveness: liveness.check }),
      ...(duplicates.check && { duplicates: duplicates.check }),
    },
    scores: scoresOf(evidence, data, validation, thresholds),
    read: readingsOf(facts),
  }
}

/** Decides the outcome: verified without findings, rejected with a rejecting one, otherwise pending review. */
export function decideOutcome(findings: readonly Finding[]): 'verified' | 'pending_review' | 'rejected' {
  if (findings.some((finding) => finding.rejecting)) return 'rejected'
  return findings.length === 0 ? 'verified' : 'pending_review'
}
