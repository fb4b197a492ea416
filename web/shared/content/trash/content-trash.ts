import { createGraphqlClient } from '@civigraph/client'
import {
  ContentTrashDocument,
  type ContentTrashQuery,
  PurgeContentNodeDocument,
  RestoreContentNodeDocument,
} from '@civigraph/client/documents'
import { graphUrl, present } from '../../graph/graph-client.ts'

export type TrashPage = NonNullable<ContentTrashQuery['contentTrash']>
export type RemovedContent = TrashPage['nodes'][number]

/** The trash of a tenant's tree. Refusals are thrown as CivigraphError with the platform's message. */
export interface ContentTrash {
  /** Reads a page, latest first. @param after - cursor of the last received entry */
  read(after: string | undefined): Promise<TrashPage>
  /** Restores a text with its descendants to its place. @returns the id of the text */
  restore(id: string): Promise<string>
  /** Deletes permanently. */
  purge(id: string): Promise<void>
}

const patienceMs = 60_000
const pageSize = 20

/**
 * @param send - `fetch` that adds credentials
 * @param isNamed - whether the caller may read the names of other users
 */
export function contentTrash(send: typeof fetch, tenantId: string, isNamed: boolean): ContentTrash {
  const graph = createGraphqlClient({ url: graphUrl(), fetch: send, timeoutMs: patienceMs })
  return {
    async read(after) {
      const page = { tenantId, first: pageSize, named: isNamed, ...(after !== undefined && { after }) }
      return present((await graph.request(ContentTrashDocument, page)).contentTrash)
    },
    async restore(id) {
      return present((await graph.request(RestoreContentNodeDocument, { input: { tenantId, id } })).restoreContentNode).node.id
    },
    async purge(id) {
      present((await graph.request(PurgeContentNodeDocument, { input: { tenantId, id } })).purgeContentNode)
    },
  }
}
