import { bullmqSchema } from '../../../engines/job-queue/bullmq-schema.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { relationalSchema } from '../../../engines/relational/migrations/relational-schema.ts'
import { schemaAtStart } from '../../../foundation/engine-start/schema-at-start.ts'
import { compose, type Part } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { projectFolder } from '../../../foundation/process/build-info.ts'

/** Applies all PostgreSQL migrations, as a platform without Redis does. */
export function wholeSchema(database: Database): Part {
  const own = relationalSchema({ database, folder: `${projectFolder}/schema/sql`, release: '1.0.0' })
  return compose(
    'schema',
    [own, bullmqSchema(database, [])].map((schema) => schemaAtStart(schema, true, silentLog)),
  )
}
