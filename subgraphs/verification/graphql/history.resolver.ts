import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { definedReasons, type Reason } from '../checks/reasons.ts'
import { findJobs } from '../jobs/find-jobs.ts'
import { type HistoryDependencies, jobHistory } from '../review/decision/job-history.ts'
import { VerificationReason } from './cross-validations.type.ts'
import { VerificationEvent } from './history.type.ts'
import { failureOf } from './verification.resolver.ts'
import { VerificationFailure, VerificationJob } from './verification.type.ts'

/** What remains of a job after its result was acknowledged, for super_admins. */
@Resolver(() => VerificationJob)
export class HistoryResolver {
  readonly #parts: HistoryDependencies

  constructor(parts: HistoryDependencies) {
    this.#parts = parts
  }

  @FieldResolver(() => [VerificationReason], {
    nullable: true,
    description:
      'Findings against the verification, most serious first. They remain for OUTCOME_RETENTION_DAYS after the result was acknowledged; null until the job is final, and after that period.',
  })
  @Authorise(userWith('super_admin'))
  async reasons(@Root() { id }: VerificationJob): Promise<Reason[] | null> {
    const [job] = await findJobs(this.#parts.database, [id], 'all')
    return job?.reasons == null ? null : definedReasons(job.reasons)
  }

  @FieldResolver(() => VerificationFailure, {
    nullable: true,
    description: 'Why the verification failed; null unless the status is ERROR, and when OUTCOME_RETENTION_DAYS have passed.',
  })
  @Authorise(userWith('super_admin'))
  async failure(@Root() { id }: VerificationJob): Promise<VerificationFailure | null> {
    const [job] = await findJobs(this.#parts.database, [id], 'all')
    return failureOf(job?.failureReason ?? null)
  }

  @FieldResolver(() => [VerificationEvent], {
    nullable: true,
    description: 'What happened to the job, oldest first; decisions appear once the job is settled.',
  })
  @Authorise(userWith('super_admin'))
  async timeline(@Root() { id }: VerificationJob, @Ctx() context: RequestContext): Promise<VerificationEvent[] | null> {
    const [job] = await findJobs(this.#parts.database, [id], 'all')
    if (job === undefined) return null
    return (await jobHistory(this.#parts, job, context)).map(
      ({ kind, at, person, service = null, outcome = null, decision = null, reason = null, note = null, heldUntil = null }) => ({
        ...{ kind, at, service, outcome, decision, reason, note, heldUntil },
        administrator: person === undefined || person === '' ? null : { id: person },
      }),
    )
  }
}
