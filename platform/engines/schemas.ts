import { join } from 'node:path'
import { bullmqSchema } from '../../engines/job-queue/bullmq-schema.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { EngineSchema } from '../../foundation/engine-start/engine-schema.ts'
import { compose, type Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { indexGeneration } from '../../subgraphs/classification/index.ts'
import { queueNames } from './awaited-database.ts'
import { encoderName } from './classification-engines.ts'
import type { Relational } from './relational.ts'

export interface Schemas {
  /** in the order in which they are migrated */
  readonly all: readonly EngineSchema[]
  /** connections to the engines other than the database */
  readonly connections: Part
}

/** Returns the schemas of every configured engine. LanceDB creates its tables itself in DATA_DIR. */
export async function schemasOf(config: Config, { database, schema }: Pick<Relational, 'database' | 'schema'>, log: Log): Promise<Schemas> {
  const others = [...(await cassandraSchemas(config, log)), ...(await elasticSchemas(config))]
  const queue = config.redis === undefined ? [bullmqSchema(database, queueNames)] : []
  return { all: [schema, ...queue, ...others], connections: compose('engines of schemas', others) }
}

async function cassandraSchemas({ cassandra }: Config, log: Log): Promise<readonly (EngineSchema & Part)[]> {
  if (cassandra === undefined) return []
  const { openCassandraSchema } = await import('../../engines/tree-store/cassandra/cassandra-schema.ts')
  return [openCassandraSchema({ ...cassandra, schemaFolder: join(projectFolder, 'schema/cql') }, log)]
}

async function elasticSchemas(config: Config): Promise<readonly (EngineSchema & Part)[]> {
  if (config.elasticsearch === undefined) return []
  const { openElasticSchema } = await import('../../engines/search-index/elasticsearch/elastic-schema.ts')
  return [openElasticSchema({ ...config.elasticsearch, generation: indexGeneration(encoderName(config)) })]
}
