import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { NotFound } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import type { FaceArea } from '../assessment/face-area.ts'
import type { DocumentReadings } from '../assessment/read-values.ts'
import { decodeResult, type JobResult } from '../assessment/result.ts'
import { holdersOf } from '../duplicates/stored-templates.ts'
import type { DeclaredIdentity, ImageMember, Submission } from '../submission/submission.ts'
import { decodeSubmission } from '../submission/submission-record.ts'
import { type AddressedImage, type ImageAddresses, invalidAddress } from './image-addresses.ts'
import { framesOf, imagesOf, type Picture, pictureIn } from './pictures.ts'
import { claimMissing, type ReviewClaims } from './review-claims.ts'
import { reviewerOf } from './reviewer.ts'

/** Address of a picture, valid for one minute. */
interface Address {
  readonly token: string
  readonly expiresAt: Date
}

/** The material of a reviewer. */
export interface Evidence {
  readonly declaredIdentity: DeclaredIdentity
  readonly images: readonly (Address & { readonly image: ImageMember; readonly face: FaceArea | undefined })[]
  /** frames of a challenge in order of time */
  readonly frames: readonly (Address & { readonly atMs: number })[]
  /** result of the automatic checks */
  readonly result: JobResult
  /** what was read from the document; absent for jobs of earlier releases */
  readonly read?: DocumentReadings | undefined
  /** codes of other citizens who may be the same person */
  readonly possibleDuplicates: readonly string[]
}

export interface EvidenceDependencies {
  readonly database: Database
  readonly vault: ImageVault
  readonly claims: ReviewClaims
  readonly addresses: ImageAddresses
  readonly auditedAccess: AuditedAccess
}

/** Sealed images of jobs under review and their checks, for the holder of the claim while it lasts. */
export class ReviewEvidence {
  readonly #parts: EvidenceDependencies

  constructor(parts: EvidenceDependencies) {
    this.#parts = parts
  }

  /**
   * @throws {Fault} CONFLICT without a claim
   * @throws {NotFound} after erasure
   * @throws {EngineUnavailable} also when the audit record cannot be written: then nothing is shown
   */
  async of(context: RequestContext, jobId: string): Promise<Evidence> {
    const { database, claims, vault, addresses, auditedAccess } = this.#parts
    const reviewer = reviewerOf(context.principal)
    if (!(await claims.isHeld(reviewer, jobId))) throw claimMissing()
    const submission = await this.#submission(jobId, context.signal)
    const record = (await vault.open([jobId], 'review', context.signal)).get(jobId)
    if (submission === undefined || record === undefined) throw new NotFound('The images of this job were deleted')
    await auditedAccess.review(context, 'evidence.read', jobId)
    const addressOf = ({ name: image, format, bytes }: Picture): Address =>
      addresses.sign({ jobId, image, format, bytes: bytes.length }, reviewer)
    const frames = framesOf(submission).map((picture) => ({ atMs: picture.atMs, ...addressOf(picture) }))
    const { duplicates = [], searched: _, read, faces, ...result } = decodeResult(record)
    const images = imagesOf(submission).map((picture) => ({
      ...{ image: picture.name, face: faces?.[picture.name] },
      ...addressOf(picture),
    }))
    const possibleDuplicates = await holdersOf(database, duplicates)
    return { declaredIdentity: submission.declaredIdentity, images, frames, result, read, possibleDuplicates }
  }

  /** Resolves an address. @throws {Forbidden} unless it is valid for this reviewer, whose claim lasts */
  async addressed({ principal }: RequestContext, token: string): Promise<AddressedImage> {
    const reviewer = reviewerOf(principal)
    const image = this.#parts.addresses.open(token, reviewer)
    if (!(await this.#parts.claims.isHeld(reviewer, image.jobId))) throw invalidAddress()
    return image
  }

  /** Returns the bytes of an address; each view is audited. @throws as `addressed`  @throws {NotFound} after erasure */
  async open(context: RequestContext, token: string): Promise<Uint8Array> {
    const { jobId, image } = await this.addressed(context, token)
    const submission = await this.#submission(jobId, context.signal)
    const picture = submission && pictureIn(submission, image)
    if (picture === undefined) throw new NotFound()
    await this.#parts.auditedAccess.review(context, 'image.read', jobId, { image })
    return picture.bytes
  }

  async #submission(jobId: string, signal: AbortSignal): Promise<Submission | undefined> {
    const record = (await this.#parts.vault.open([jobId], 'submission', signal)).get(jobId)
    return record && decodeSubmission(record)
  }
}
