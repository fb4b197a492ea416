import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { textOfProblem } from '../delegations/delegation-record.ts'
import { importFile } from '../delegations/import-file.ts'
import type { DelegationStore } from '../delegations/store-delegations.ts'
import { ImportDelegationsInput, ImportDelegationsPayload } from './delegation-import.type.ts'

/** Import of delegations from a file, for callers that may read all delegations. */
@Resolver()
export class DelegationImportResolver {
  readonly #parts: DelegationStore & { readonly clock: Clock; readonly audit: AuditTrail }

  constructor(parts: DelegationStore & { readonly clock: Clock; readonly audit: AuditTrail }) {
    this.#parts = parts
  }

  @Mutation(() => ImportDelegationsPayload, {
    description: 'Imports a file of delegations. Stores all of it, or nothing when a line is invalid, and returns the result of each line.',
  })
  @Authorise(userWith('super_admin'))
  async importDelegations(
    @Arg('input', () => ImportDelegationsInput) { file: text, format, dryRun: isTry }: ImportDelegationsInput,
    @Ctx() context: RequestContext,
  ): Promise<ImportDelegationsPayload> {
    const { isStored: kept, lines, ...report } = await importFile(this.#parts, { text, format, isTry }, context)
    return {
      kept,
      ...report,
      lines: lines.map((line) => ({ ...line, entries: line.problems, problems: line.problems.map(textOfProblem) })),
    }
  }
}
