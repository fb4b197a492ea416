import type { DocumentReader } from '../../../engines/document-reader/document-reader.ts'
import type { FaceAnalyser } from '../../../engines/face-analyser/face-analyser.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { type CertificatesOf, type ChallengeAnswer, type ReadChip, readChip } from '../chip/read-chip.ts'
import type { SealKeys } from '../document/barcode/verify-seal.ts'
import { printsArabic } from '../document/countries.ts'
import type { FaceGallery, GallerySearch } from '../duplicates/face-gallery.ts'
import type { FaceTemplate } from '../duplicates/face-template.ts'
import type { Submission, SubmittedChipResponse } from '../jobs/submission/submission.ts'
import type { UsedChallenge } from '../liveness/challenges.ts'
import type { SeenFrames } from '../liveness/look-at-frames.ts'
import type { JobRow } from '../tables.ts'
import { duplicateLine } from './checks/duplicate-search.ts'
import { type Assessment, assess } from './cross-validation.ts'
import type { ChipEvidence, DuplicateEvidence, LivenessEvidence, PortraitEvidence } from './evidence.ts'
import { gatherEvidence, type ImageFindings, readThoroughly } from './gather-evidence.ts'
import type { Reason } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'
import { bytesOf, UnusableImage } from './unusable-image.ts'
import { errorVerdict, type Verdict } from './verdict.ts'

export interface VerifyIdentityEngines {
  readonly certificatesOf: CertificatesOf
  /** what the citizen of a job was asked to do; undefined where nothing was */
  readonly challengeOf: (jobId: string) => Promise<UsedChallenge | undefined>
  /** what the chip of a job was asked to sign; undefined where nothing was */
  readonly chipChallengeOf: (jobId: string) => Promise<Uint8Array | undefined>
  /** where the same person is looked for under other codes; absent: nowhere */
  readonly gallery?: FaceGallery | undefined
  readonly faces: FaceAnalyser
  readonly reader: DocumentReader
  readonly clock: Clock
  readonly thresholds: Thresholds
  /** of the seals in barcodes; absent: none is verified */
  readonly sealKeys?: SealKeys
}

/** The verification itself: look at the images, compare the faces, read the document, then judge by rules alone. */
export class VerifyIdentity {
  readonly #engines: VerifyIdentityEngines

  constructor(engines: VerifyIdentityEngines) {
    this.#engines = engines
  }

  /** @returns an error verdict for images that cannot be looked at   @throws what an engine throws: the attempt is made again */
  async verify(
    job: JobRow,
    { declaredIdentity, chip: submittedChip, chipResponse, ...submitted }: Submission,
    signal: AbortSignal,
  ): Promise<Verdict> {
    try {
      const { thresholds, sealKeys } = this.#engines
      const now = this.#engines.clock.now()
      const answer = chipResponse && (await this.#answerOf(job, chipResponse))
      const chip = submittedChip && (await readChip(this.#engines.certificatesOf, submittedChip, now, answer))
      const images = {
        selfie: bytesOf('selfie', submitted.selfie),
        documentFront: bytesOf('documentFront', submitted.documentFront),
        documentBack: submitted.documentBack && bytesOf('documentBack', submitted.documentBack),
        portrait: chip !== undefined && 'portrait' in chip ? chip.portrait : undefined,
        frames: submitted.liveness?.frames,
      }
      const stated = {
        declared: declaredIdentity,
        documentType: job.documentType,
        countryCode: job.countryCode,
        ...(sealKeys && { sealKeys }),
        now,
      }
      const found = await gatherEvidence(this.#engines, images, signal)
      const liveness = found.seen && (await this.#livenessOf(job, found.seen))
      const duplicates = found.template && (await this.#duplicatesOf(job, found.template))
      const stating = {
        ...stated,
        ...(chip && { chip: chipEvidence(chip, found.portrait) }),
        ...(liveness && { liveness }),
        ...(duplicates && { duplicates }),
      }
      const first = assess({ ...stating, ...found }, thresholds)
      // text that is there, but not all that is needed: only then a second, slower look pays
      const again = mayBeReadBetter(first, found, job)
      const { outcome, crossValidations, scores } = again
        ? assess({ ...stating, ...(await readThoroughly(this.#engines, images, found, signal)) }, thresholds)
        : first
      return {
        ...{ outcome, failureReason: null, crossValidations, scores },
        ...(duplicates && { duplicates: duplicates.hits.map(({ id }) => id) }),
        ...(this.#engines.gallery && found.template && { template: found.template }),
        ...(duplicates?.isWhole && { searched: { upTo: duplicates.upTo, within: duplicateLine(duplicates.model, thresholds) } }),
      }
    } catch (thrown) {
      if (!(thrown instanceof UnusableImage)) throw thrown
      return errorVerdict(thrown.message)
    }
  }

  /** undefined where nobody is searched */
  async #duplicatesOf({ owner, citizenCode }: JobRow, template: FaceTemplate): Promise<(GallerySearch & DuplicateEvidence) | undefined> {
    const { gallery, thresholds } = this.#engines
    if (gallery === undefined) return undefined
    const { model } = template
    return { ...(await gallery.search(owner, citizenCode, template, duplicateLine(model, thresholds))), model }
  }

  async #answerOf({ id }: JobRow, { response }: SubmittedChipResponse): Promise<ChallengeAnswer> {
    const challenge = await this.#engines.chipChallengeOf(id)
    // it ends with its job alone
    if (challenge === undefined) throw new Error('the job of a chip response has no challenge')
    return { challenge, response }
  }

  async #livenessOf({ id }: JobRow, seen: SeenFrames): Promise<LivenessEvidence> {
    const challenge = await this.#engines.challengeOf(id)
    // it ends with its job alone
    if (challenge === undefined) throw new Error('the job of liveness frames has no challenge')
    return { ...challenge, ...seen }
  }
}

function chipEvidence(chip: ReadChip, portrait: PortraitEvidence = { problem: 'the portrait has an unknown format' }): ChipEvidence {
  return 'problem' in chip ? chip : { ...chip, portrait }
}

const legible = 0.6
/** A title or a country that was not read makes a document an unsupported one. */
const unread: readonly Reason[] = ['ocr_unreadable', 'unsupported_document']

/** Nothing but unread data stands against verified, on a document that was read well elsewhere or is printed in a script that was not looked for. */
const mayBeReadBetter = ({ crossValidations: { reasons } }: Assessment, { frontText }: ImageFindings, { countryCode }: JobRow): boolean =>
  reasons.some((reason) => unread.includes(reason)) &&
  reasons.every((reason) => [...unread, 'mrz_check_digit_failed', 'name_mismatch'].includes(reason)) &&
  ((frontText?.confidence ?? 0) > legible || printsArabic(countryCode))
