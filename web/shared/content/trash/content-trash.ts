import { createGraphqlClient } from '@civigraph/client'
import {
  ContentTrashDocument,
  type ContentTrashQuery,
  PurgeContentNodeDocument,
  RestoreContentNodeDocument,
} from '@civigraph/client/documents'
import { graphUrl } from '../../graph/graph-client.ts'
import { present } from '../../graph/present.ts'

export type TrashPage = NonNullable<ContentTrashQuery['contentTrash']>
export type RemovedContent = TrashPage['nodes'][number]

/** What was deleted of a tenant's tree, and the ways out. What is refused is thrown as CivigraphError, with the platform's sentence. */
export interface ContentTrash {
  /** A page, the last first. @param after - cursor of the last one seen */
  read(after: string | undefined): Promise<TrashPage>
  /** with all that was below it, where it was. @returns the id of the text */
  restore(id: string): Promise<string>
  /** for ever */
  purge(id: string): Promise<void>
}

const patienceMs = 60_000
const pageSize = 20

/** @param send - signs requests in   @param isNamed - whether it may be read who others are */
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
