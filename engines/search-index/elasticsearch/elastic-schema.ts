import type { Client, estypes } from '@elastic/elasticsearch'
import { EngineRefusal } from '../../../foundation/engine-start/engine-opening.ts'
import type { EngineSchema } from '../../../foundation/engine-start/engine-schema.ts'
import { messageOf } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { type ElasticAddress, elasticClient } from './elastic-client.ts'
import { isConflict } from './elastic-connection.ts'
import { expressionIndex, type IndexCopies, indexOf, phraseIndex } from './elastic-mapping.ts'
import { refuseOldElasticsearch } from './elastic-refusal.ts'

const answerLimitMs = 15_000

export interface ElasticSchemaOptions extends IndexCopies {
  /** prefix of every name */
  readonly prefix: string
  /** lower-case letters, digits and - */
  readonly generation: string
}

interface WantedAlias {
  readonly alias: string
  readonly definition: Partial<estypes.IndicesCreateRequest>
}

export const expressionsAlias = (prefix: string, generation: string): string => `${prefix}-expressions-${generation}`
export const phrasesAlias = (prefix: string, generation: string): string => `${prefix}-phrases-${generation}`

/** The indices of a generation, each behind an alias; workers fill empty ones. */
export function elasticSchema(client: Client, { prefix, generation, ...copies }: ElasticSchemaOptions): EngineSchema {
  const wanted: readonly WantedAlias[] = [
    { alias: expressionsAlias(prefix, generation), definition: indexOf(expressionIndex, copies) },
    { alias: phrasesAlias(prefix, generation), definition: indexOf(phraseIndex, copies) },
  ]
  const missing = async (): Promise<readonly WantedAlias[]> => {
    const existing = await Promise.all(wanted.map(({ alias }) => client.indices.existsAlias({ name: alias })))
    return wanted.filter((_, index) => existing[index] !== true)
  }
  return {
    engine: 'Elasticsearch',
    async status(signal) {
      signal.throwIfAborted()
      const absent = await missing()
      return {
        applied: wanted.length - absent.length,
        pending: absent.map(({ alias }) => ({ name: alias, how: 'an empty index that the workers fill' })),
        contracts: [],
        newer: [],
        problems: [],
      }
    },
    async apply({ onProgress }) {
      for (const { alias, definition } of await missing()) {
        // a fixed name, so that only one of several processes creates it
        const index = `${alias}.first`
        try {
          await client.indices.create({ ...definition, index, aliases: { [alias]: {} } })
        } catch (error) {
          if (!isConflict(error)) throw error
          await client.indices.putAlias({ index, name: alias })
        }
        onProgress(`${index} created, empty`)
      }
    },
  }
}

/** As `elasticSchema`, with its own connection. */
export function openElasticSchema(options: ElasticAddress & ElasticSchemaOptions): EngineSchema & Part {
  const client = elasticClient(options, answerLimitMs)
  const start = async (signal: AbortSignal): Promise<void> => {
    await refuseOldElasticsearch(client, signal).catch((error: unknown) => {
      if (error instanceof EngineRefusal) throw error
      throw new Error(`Elasticsearch cannot be used: ${messageOf(error)}`, { cause: error })
    })
  }
  return { name: 'schema of Elasticsearch', ...elasticSchema(client, options), start, stop: () => client.close() }
}
