import { bullmqSchema } from '../../../subgraphs/engines/job-queue/bullmq-schema.ts'
import type { Database } from '../../../subgraphs/engines/relational/database.ts'
import { relationalSchema } from '../../../subgraphs/engines/relational/migrations/relational-schema.ts'
import { schemaAtStart } from '../../../subgraphs/foundation/engine-start/schema-at-start.ts'
import { compose, type Part } from '../../../subgraphs/foundation/lifecycle.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import { projectFolder } from '../../../subgraphs/foundation/process/build-info.ts'

/** Brings everything that is kept in PostgreSQL forward, as a platform without Redis does. */
export function wholeSchema(database: Database): Part {
  const own = relationalSchema({ database, folder: `${projectFolder}/schema/sql`, release: '1.0.0' })
  return compose(
    'schema',
    [own, bullmqSchema(database, [])].map((schema) => schemaAtStart(schema, true, silentLog)),
  )
}
