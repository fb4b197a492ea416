import type { AuditNote } from '../../engines/audit/audit-trail.ts'
import type { Accounts } from '../../engines/identity/accounts.ts'
import type { IdentityProvider } from '../../engines/identity/identity-provider.ts'
import type { TokenVerifier } from '../../engines/identity/token-verifier.ts'
import type { KeyValue } from '../../engines/key-value/key-value.ts'
import type { DeadLetterCount, MessageBacklog } from '../../engines/message-queue/message-queue.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { Clock } from '../../foundation/clock.ts'
import type { ServiceKeyList } from './service-keys/service-key-list.ts'

export interface AdministrationEngines {
  readonly database: Database
  readonly keyValue: KeyValue
  readonly identity: IdentityProvider
  readonly verifier: TokenVerifier
  /** undefined with an issuer of somebody else's, which cannot be asked */
  readonly accounts: Accounts | undefined
  readonly clock: Clock
  readonly serviceKeys: ServiceKeyList
  /** is told what the audit trail has got */
  readonly auditNote?: AuditNote | undefined
  /** the queue that brings delegations */
  readonly broker: MessageBacklog &
    DeadLetterCount & {
      /** messages that only a newer release can read, as far as this process has met them */
      newer(): number
    }
}
