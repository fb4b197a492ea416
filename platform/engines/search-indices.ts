import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { SearchIndex } from '../../engines/search-index/search-index.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { createdOnce } from '../process/created-once.ts'

/** Returns the folder of the embedded index. */
export const searchFolder = (dataDir: string): string => join(dataDir, 'search-index')

const Identity = z.object({ id: z.string() })

/** Returns what distinguishes the search index of this process from another one. */
export function searchIndexIdentity({ elasticsearch, dataDir }: Pick<Config, 'elasticsearch' | 'dataDir'>): string {
  if (elasticsearch !== undefined) return `elasticsearch ${elasticsearch.prefix}`
  return `lancedb ${createdOnce(dataDir, 'search-index.json', Identity, () => ({ id: randomUUID() })).content.id}`
}

/** Opens one index per generation, shared by the parts of a process. */
export function searchIndices({ elasticsearch, dataDir, migrate }: Config, log: Log): (generation: string) => Promise<SearchIndex & Part> {
  const opened = new Map<string, Promise<SearchIndex & Part>>()
  const open = async (generation: string): Promise<SearchIndex & Part> => {
    if (elasticsearch === undefined) {
      const { lanceSearchIndex } = await import('../../engines/search-index/lancedb/lance-search-index.ts')
      return lanceSearchIndex({ folder: searchFolder(dataDir), generation, log })
    }
    const { elasticSearchIndex } = await import('../../engines/search-index/elasticsearch/elastic-search-index.ts')
    return elasticSearchIndex({ ...elasticsearch, generation, migrate, log })
  }
  return (generation) => {
    const index = opened.get(generation) ?? open(generation)
    opened.set(generation, index)
    return index
  }
}
