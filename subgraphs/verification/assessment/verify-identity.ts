import type { DocumentReader } from '../../../engines/document-reader/document-reader.ts'
import type { FaceAnalyser } from '../../../engines/face-analyser/face-analyser.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { duplicateLine } from '../checks/duplicate-search.ts'
import type { ChipEvidence, DuplicateEvidence, LivenessEvidence, PortraitEvidence } from '../checks/evidence.ts'
import type { Reason } from '../checks/reasons.ts'
import type { Thresholds } from '../checks/thresholds.ts'
import { type CertificatesOf, type ChallengeAnswer, type ReadChip, readChip } from '../chip/read-chip.ts'
import { printsArabic } from '../document/countries.ts'
import type { SealKeys } from '../document/verify-seal.ts'
import type { FaceGallery, GallerySearch } from '../duplicates/face-gallery.ts'
import type { FaceTemplate } from '../duplicates/face-template.ts'
import type { FrameFindings } from '../liveness/analyse-frames.ts'
import type { UsedChallenge } from '../liveness/challenges.ts'
import type { Submission, SubmittedChipResponse } from '../submission/submission.ts'
import type { JobRow } from '../tables.ts'
import { type Assessment, assess } from './cross-validation.ts'
import { gatherEvidence, type ImageFindings, readThoroughly } from './gather-evidence.ts'
import { errorVerdict, type Verdict } from './result.ts'
import { bytesOf, UnusableImage } from './unusable-image.ts'

export interface VerifyIdentityEngines {
  readonly certificatesOf: CertificatesOf
  /** challenge of a job; undefined without one */
  readonly challengeOf: (jobId: string) => Promise<UsedChallenge | undefined>
  /** bytes that the chip of a job had to sign; undefined without a challenge */
  readonly chipChallengeOf: (jobId: string) => Promise<Uint8Array | undefined>
  /** faces of other citizens; absent when the search is off */
  readonly gallery?: FaceGallery | undefined
  readonly faces: FaceAnalyser
  readonly reader: DocumentReader
  readonly clock: Clock
  readonly thresholds: Thresholds
  /** keys of barcode seals; absent: seals are not verified */
  readonly sealKeys?: SealKeys
}

/** Runs a verification: detects faces, compares them, reads the document, then judges by rules. */
export class VerifyIdentity {
  readonly #engines: VerifyIdentityEngines

  constructor(engines: VerifyIdentityEngines) {
    this.#engines = engines
  }

  /** @returns an error verdict for unusable images  @throws errors of engines: the attempt is repeated */
  async verify(
    job: JobRow,
    { declaredIdentity, chip: submittedChip, chipResponse, ...submitted }: Submission,
    signal: AbortSignal,
  ): Promise<Verdict> {
    try {
      const { thresholds, sealKeys } = this.#engines
      const now = this.#engines.clock.now()
      const chipAnswer = chipResponse && (await this.#answerOf(job, chipResponse))
      const chip = submittedChip && (await readChip(this.#engines.certificatesOf, submittedChip, now, chipAnswer))
      const images = {
        selfie: bytesOf('selfie', submitted.selfie),
        documentFront: bytesOf('documentFront', submitted.documentFront),
        documentBack: submitted.documentBack && bytesOf('documentBack', submitted.documentBack),
        portrait: chip !== undefined && 'portrait' in chip ? chip.portrait : undefined,
        frames: submitted.liveness?.frames,
      }
      const submission = {
        declared: declaredIdentity,
        documentType: job.documentType,
        countryCode: job.countryCode,
        ...(sealKeys && { sealKeys }),
        now,
      }
      const findings = await gatherEvidence(this.#engines, images, signal)
      const liveness = findings.frameFindings && (await this.#livenessOf(job, findings.frameFindings))
      const duplicates = findings.template && (await this.#duplicatesOf(job, findings.template))
      const evidence = {
        ...submission,
        ...(chip && { chip: chipEvidence(chip, findings.portrait) }),
        ...(liveness && { liveness }),
        ...(duplicates && { duplicates }),
      }
      const first = assess({ ...evidence, ...findings }, thresholds)
      // a second, slower reading is useful only if text is present but incomplete
      const isReadTwice = mayBeReadBetter(first, findings, job)
      const { outcome, crossValidations, scores, read } = isReadTwice
        ? assess({ ...evidence, ...(await readThoroughly(this.#engines, images, findings, signal)) }, thresholds)
        : first
      return {
        ...{ outcome, failureReason: null, crossValidations, scores, read, faces: findings.faces },
        ...(duplicates && { duplicates: duplicates.hits.map(({ id }) => id) }),
        ...(this.#engines.gallery && findings.template && { template: findings.template }),
        ...(duplicates?.isWhole && { searched: { upTo: duplicates.upTo, within: duplicateLine(duplicates.model, thresholds) } }),
      }
    } catch (thrown) {
      if (!(thrown instanceof UnusableImage)) throw thrown
      return errorVerdict(thrown.message)
    }
  }

  /** undefined when the search is off */
  async #duplicatesOf({ owner, citizenCode }: JobRow, template: FaceTemplate): Promise<(GallerySearch & DuplicateEvidence) | undefined> {
    const { gallery, thresholds } = this.#engines
    if (gallery === undefined) return undefined
    const { model } = template
    return { ...(await gallery.search(owner, citizenCode, template, duplicateLine(model, thresholds))), model }
  }

  async #answerOf({ id }: JobRow, { response }: SubmittedChipResponse): Promise<ChallengeAnswer> {
    const challenge = await this.#engines.chipChallengeOf(id)
    // the challenge is removed only with its job
    if (challenge === undefined) throw new Error('the job of a chip response has no challenge')
    return { challenge, response }
  }

  async #livenessOf({ id }: JobRow, frameFindings: FrameFindings): Promise<LivenessEvidence> {
    const challenge = await this.#engines.challengeOf(id)
    // the challenge is removed only with its job
    if (challenge === undefined) throw new Error('the job of liveness frames has no challenge')
    return { ...challenge, ...frameFindings }
  }
}

function chipEvidence(chip: ReadChip, portrait: PortraitEvidence = { problem: 'the portrait has an unknown format' }): ChipEvidence {
  return 'problem' in chip ? chip : { ...chip, portrait }
}

const minLegibility = 0.6
/** an unread title or country makes a document unsupported */
const unread: readonly Reason[] = ['ocr_unreadable', 'unsupported_document']

/** Returns whether only unread data prevents verification, on a document that was read well otherwise or has another script. */
const mayBeReadBetter = ({ crossValidations: { reasons } }: Assessment, { frontText }: ImageFindings, { countryCode }: JobRow): boolean =>
  reasons.some((reason) => unread.includes(reason)) &&
  reasons.every((reason) => [...unread, 'mrz_check_digit_failed', 'name_mismatch'].includes(reason)) &&
  ((frontText?.confidence ?? 0) > minLegibility || printsArabic(countryCode))
