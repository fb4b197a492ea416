import { createGraphqlClient } from '@civigraph/client'
import {
  CreateContentNodeDocument,
  type CreateContentNodeInput,
  DeleteContentNodeDocument,
  MoveContentNodeDocument,
  type MoveContentNodeInput,
  UpdateContentNodeDocument,
  type UpdateContentNodeInput,
} from '@civigraph/client/documents'
import { graphUrl } from '../../graph/graph-client.ts'
import { present } from '../../graph/present.ts'

/** Changes the texts of a tenant with the user's credentials. Refusals are thrown as CivigraphError with the platform's message. */
export interface Writer {
  /** @returns the id of the new text */
  create(text: Omit<CreateContentNodeInput, 'tenantId'>): Promise<string>
  update(change: Omit<UpdateContentNodeInput, 'tenantId'>): Promise<void>
  move(place: Omit<MoveContentNodeInput, 'tenantId'>): Promise<void>
  /** Moves a text with its descendants to the trash. */
  remove(id: string): Promise<void>
}

const patienceMs = 60_000

/** @param send - `fetch` that adds credentials */
export function writerFor(send: typeof fetch, tenantId: string): Writer {
  const graph = createGraphqlClient({ url: graphUrl(), fetch: send, timeoutMs: patienceMs })
  return {
    async create(text) {
      const { createContentNode: created } = await graph.request(CreateContentNodeDocument, { input: { ...text, tenantId } })
      return present(created).node.id
    },
    async update(change) {
      await graph.request(UpdateContentNodeDocument, { input: { ...change, tenantId } })
    },
    async move(place) {
      await graph.request(MoveContentNodeDocument, { input: { ...place, tenantId } })
    },
    async remove(id) {
      await graph.request(DeleteContentNodeDocument, { input: { id, tenantId } })
    },
  }
}
