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
  /** undefined with an external identity provider, which has no account API */
  readonly accounts: Accounts | undefined
  readonly clock: Clock
  readonly serviceKeys: ServiceKeyList
  /** receives each audit record */
  readonly auditNote?: AuditNote | undefined
  /** queue of delegation messages */
  readonly broker: MessageBacklog &
    DeadLetterCount & {
      /** number of messages in a newer format that this process has met */
      newer(): number
    }
}
