import { Arg, Args, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql'
import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { both } from '../../../foundation/validation/both.ts'
import { outOfRange } from '../../../foundation/validation/violation.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { seesJob } from '../access/visibility.ts'
import { definedReasons } from '../checks/reasons.ts'
import type { DecideReview } from '../review/decision/decide-review.ts'
import { ownDecisions, recordedDecisions } from '../review/decision/recorded-decisions.ts'
import type { ReviewClaims } from '../review/review-claims.ts'
import type { ReviewEvidence } from '../review/review-evidence.ts'
import { reviewMetrics } from '../review/review-metrics.ts'
import { countReviews, findReview, listReviews, type ReviewedJob } from '../review/review-queue.ts'
import { reviewerOf, reviewers } from '../review/reviewer.ts'
import type { JobRow } from '../tables.ts'
import { typeOfChecks } from './cross-validations.type.ts'
import {
  ClaimReviewInput,
  checkQueue,
  DecideReviewInput,
  newDecision,
  ReleaseReviewInput,
  ReviewQueueArgs,
  reviewsOfPage,
  SendReviewDecisionInput,
  UndoReviewDecisionInput,
} from './review.input.ts'
import {
  ClaimReviewPayload,
  DecidedReview,
  DecideReviewPayload,
  OwnReviewDecision,
  ReleaseReviewPayload,
  ReviewCase,
  ReviewCaseConnection,
  ReviewImageFile,
  ReviewImages,
  ReviewMetrics,
  SendReviewDecisionPayload,
  UndoReviewDecisionPayload,
} from './review.type.ts'
import { typeOfJob } from './verification.resolver.ts'
import type { VerificationJob } from './verification.type.ts'

const maxDays = 366

export interface ReviewDependencies {
  readonly database: Database
  readonly vault: ImageVault
  readonly auditedAccess: AuditedAccess
  readonly claims: ReviewClaims
  readonly evidence: ReviewEvidence
  readonly decide: DecideReview
  /** of the REST component */
  readonly publicUrl: string
}

/** Reviews. Every reviewer sees the jobs of all services. */
@Resolver(() => ReviewCase)
export class ReviewResolver {
  readonly #parts: ReviewDependencies

  constructor(parts: ReviewDependencies) {
    this.#parts = parts
  }

  @Query(() => ReviewCaseConnection, {
    description: 'Jobs that wait for a review and that the caller has not decided, longest waiting first.',
  })
  @Authorise(...reviewers)
  async reviewQueue(@Args(() => ReviewQueueArgs) args: ReviewQueueArgs, @Ctx() context: RequestContext): Promise<ReviewCaseConnection> {
    const { reason, minAgeMinutes } = args.filter ?? args
    const { documentType, countryCode, claimedByMe } = args.filter ?? {}
    const cursors = new Cursors(['reviewQueue'], { reason, minAgeMinutes, documentType, countryCode, claimedByMe })
    const windowOf = () =>
      pageWindow(args, reviewsOfPage, (cursor, argument) => {
        const { moment, id } = cursors.momentOf(cursor, argument)
        return { waitingSince: moment, jobId: id }
      })
    const [window] = await both(windowOf, () => checkQueue(args))
    const filter = {
      ...(reason != null && { reason }),
      ...(minAgeMinutes != null && { minAgeMinutes }),
      ...(documentType != null && { documentType }),
      ...(countryCode != null && { countryCode }),
      ...(claimedByMe === true && { claimedByMe }),
    }
    const [{ database }, reviewer] = [this.#parts, reviewerOf(context.principal)]
    const rows = await listReviews(database, reviewer, filter, window)
    const shown = rows.slice(0, window.size).map(({ job }) => job.id)
    await this.#parts.auditedAccess.reviewsListed(context, shown)
    const nodes = rows.map((each) => typeOfReview(each, context))
    const page = pageOf(nodes, window, ({ waitingSince, job }) => cursors.ofMoment(waitingSince, job.id))
    return { ...page, count: () => countReviews(database, reviewer, filter) }
  }

  @Query(() => ReviewCase, { nullable: true, description: 'Returns one job under review; null unless it waits for a decision.' })
  @Authorise(...reviewers)
  async reviewCase(
    @Arg('jobId', () => ID, { description: 'Id of the job.' }) jobId: string,
    @Ctx() context: RequestContext,
  ): Promise<ReviewCase | null> {
    const current = await findReview(this.#parts.database, jobId)
    if (current?.review.state !== 'waiting') return null
    await this.#parts.auditedAccess.reviewsListed(context, [jobId])
    return typeOfReview(current, context)
  }

  @Query(() => [OwnReviewDecision], { description: 'Decisions that the caller made in the last 24 hours, latest first, at most 100.' })
  @Authorise(...reviewers)
  async ownReviewDecisions(@Ctx() context: RequestContext): Promise<OwnReviewDecision[]> {
    const decided = await ownDecisions(this.#parts.database, reviewerOf(context.principal))
    return decided.map(({ job, ...decision }) => ({ ...decision, job: shownJob(job, context), citizen: { code: job.citizenCode } }))
  }

  @Query(() => ReviewImages, {
    description: 'Returns the images and checks of a job that the caller has claimed. Each call is recorded in the audit trail.',
  })
  @Authorise(...reviewers)
  async reviewImages(
    @Arg('jobId', () => ID, { description: 'Id of the job.' }) jobId: string,
    @Ctx() context: RequestContext,
  ): Promise<ReviewImages> {
    const { images, frames, declaredIdentity, result, read, possibleDuplicates } = await this.#parts.evidence.of(context, jobId)
    return {
      images: images.map(({ image, face = null, token, expiresAt }) => ({ image, face, ...this.#addressOf(token), expiresAt })),
      frames: frames.map(({ atMs, token, expiresAt }) => ({ atMs, ...this.#addressOf(token), expiresAt })),
      declaredIdentity: { ...declaredIdentity, declaredGender: declaredIdentity.gender },
      printedIdentity: read?.printed ?? null,
      machineReadableIdentity: read?.zone ?? null,
      possibleDuplicates: possibleDuplicates.map((code) => ({ code })),
      crossValidations: result.crossValidations && typeOfChecks(result.crossValidations),
      scores: result.scores,
    }
  }

  #addressOf(token: string): { readonly url: string; readonly path: string } {
    const path = `/review/images/${token}`
    return { url: this.#parts.publicUrl.replace(/\/$/, '') + path, path }
  }

  @Query(() => ReviewImageFile, { description: 'Returns the image that a path of `reviewImages` names.' })
  @Authorise(...reviewers)
  async reviewImage(
    @Arg('token', () => ID, { description: 'The last segment of the path.' }) token: string,
    @Ctx() context: RequestContext,
  ): Promise<ReviewImageFile> {
    const { bytes, format } = await this.#parts.evidence.addressed(context, token)
    return { id: `verification.${token}`, bytes, mediaType: `image/${format}` }
  }

  @Query(() => [DecidedReview], { description: 'Decisions of all reviewers on a job, in order; empty until the job is decided.' })
  @Authorise(...reviewers)
  async reviewDecisions(
    @Arg('jobId', () => ID, { description: 'Id of the job.' }) jobId: string,
    @Ctx() context: RequestContext,
  ): Promise<DecidedReview[]> {
    const decided = await recordedDecisions(this.#parts, context, jobId)
    return decided.map((each) => ({ ...each, reviewer: { id: each.reviewer } }))
  }

  @Query(() => ReviewMetrics, { description: 'Figures of the review queue; they contain no personal data.' })
  @Authorise(...reviewers)
  reviewMetrics(
    @Arg('days', () => Int, { defaultValue: 30, description: 'Number of days to include, counting today, 1 to 366.' }) days: number,
  ): Promise<ReviewMetrics> {
    if (days < 1 || days > maxDays) throw new InvalidInput(`\`days\` must be 1 to ${maxDays}`, [outOfRange(['days'], 1, maxDays)])
    return reviewMetrics(this.#parts.database, days)
  }

  @Mutation(() => ClaimReviewPayload, {
    description: 'Claims a job for 15 minutes, or extends the caller’s claim by 15 minutes. At most one reviewer holds a claim on a job.',
  })
  @Authorise(...reviewers)
  async claimReview(
    @Arg('input', () => ClaimReviewInput) { jobId }: ClaimReviewInput,
    @Ctx() context: RequestContext,
  ): Promise<ClaimReviewPayload> {
    return { review: typeOfReview(await this.#parts.claims.claim(context, jobId), context) }
  }

  @Mutation(() => ReleaseReviewPayload, { description: 'Releases the caller’s claim on a job.' })
  @Authorise(...reviewers)
  async releaseReview(
    @Arg('input', () => ReleaseReviewInput) { jobId }: ReleaseReviewInput,
    @Ctx() context: RequestContext,
  ): Promise<ReleaseReviewPayload> {
    return { jobId, released: await this.#parts.claims.release(context, jobId) }
  }

  @Mutation(() => DecideReviewPayload, {
    description: 'Decides a job that the caller has claimed. Repeating the same decision changes nothing.',
  })
  @Authorise(...reviewers)
  async decideReview(
    @Arg('input', () => DecideReviewInput) input: DecideReviewInput,
    @Ctx() context: RequestContext,
  ): Promise<DecideReviewPayload> {
    const { job, isSettled, heldUntil } = await this.#parts.decide.decide(context, newDecision(input))
    return { job: shownJob(job, context), settled: isSettled, heldUntil }
  }

  @Mutation(() => SendReviewDecisionPayload, {
    description:
      'Makes a held decision of the caller final: sends the result and erases the images without waiting for the end of the hold.',
  })
  @Authorise(...reviewers)
  async sendReviewDecision(
    @Arg('input', () => SendReviewDecisionInput) { jobId }: SendReviewDecisionInput,
    @Ctx() context: RequestContext,
  ): Promise<SendReviewDecisionPayload> {
    return { job: shownJob(await this.#parts.decide.send(context, jobId), context) }
  }

  @Mutation(() => UndoReviewDecisionPayload, {
    description: 'Withdraws a held decision of the caller; the job waits again, claimed by the caller.',
  })
  @Authorise(...reviewers)
  async undoReviewDecision(
    @Arg('input', () => UndoReviewDecisionInput) { jobId }: UndoReviewDecisionInput,
    @Ctx() context: RequestContext,
  ): Promise<UndoReviewDecisionPayload> {
    const { review, note } = await this.#parts.decide.undo(context, jobId)
    return { review: typeOfReview(review, context), note }
  }
}

/** Returns the job for callers that may read jobs, otherwise its id only. */
const shownJob = (job: JobRow, { principal }: RequestContext): Pick<VerificationJob, 'id'> =>
  seesJob(job, principal) ? typeOfJob(job) : { id: job.id }

function typeOfReview({ job, review, isClaimed }: ReviewedJob, context: RequestContext): ReviewCase {
  const { issuer, subject } = reviewerOf(context.principal)
  const { claimUntil, claimIssuer, claimSubject } = review
  const isMine = claimIssuer === issuer && claimSubject === subject
  return {
    job: shownJob(job, context),
    citizen: { code: job.citizenCode },
    documentType: job.documentType,
    countryCode: job.countryCode,
    reasons: definedReasons(review.reasons),
    waitingSince: review.waitingSince,
    claim: isClaimed && claimUntil !== null ? { isMine, until: claimUntil } : null,
  }
}
