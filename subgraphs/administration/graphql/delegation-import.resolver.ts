import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { importFile } from '../delegations/import-file.ts'
import { ImportDelegationsInput, ImportDelegationsPayload } from './delegation-import.type.ts'

/** Delegations from a file, for those who see all of them. */
@Resolver()
export class DelegationImportResolver {
  readonly #parts: { readonly database: Database; readonly clock: Clock; readonly audit: AuditTrail }

  constructor(parts: { readonly database: Database; readonly clock: Clock; readonly audit: AuditTrail }) {
    this.#parts = parts
  }

  @Mutation(() => ImportDelegationsPayload, {
    description: 'Keeps what a file says, all of it or, where a line is wrong, nothing; tells line by line what becomes of it',
  })
  @Authorise(userWith('super_admin'))
  async importDelegations(
    @Arg('input', () => ImportDelegationsInput) { file: text, format, dryRun: isTry }: ImportDelegationsInput,
    @Ctx() context: RequestContext,
  ): Promise<ImportDelegationsPayload> {
    const { isKept: kept, ...report } = await importFile(this.#parts, { text, format, isTry }, context)
    return { kept, ...report }
  }
}
