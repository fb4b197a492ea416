import { createGraphqlClient, OutcomeUnknownError } from '@civigraph/client'
import {
  AppendContentImportDocument,
  CreateContentNodeDocument,
  type CreateContentNodeInput,
  DeleteContentNodeDocument,
  FinishContentImportDocument,
  MoveContentNodeDocument,
  type MoveContentNodeInput,
  StartContentImportDocument,
  UpdateContentNodeDocument,
  type UpdateContentNodeInput,
} from '@civigraph/client/documents'
import { graphUrl } from '../../shared/graph/graph-client.ts'
import type { ContentText } from '../service/content-view.ts'

/** Changes the texts of a tenant, as whoever has signed in. What is refused is thrown as CivigraphError, with the platform's sentence. */
export interface Writer {
  /** @returns the id of the new text */
  create(text: Omit<CreateContentNodeInput, 'tenantId'>): Promise<string>
  update(change: Omit<UpdateContentNodeInput, 'tenantId'>): Promise<void>
  move(place: Omit<MoveContentNodeInput, 'tenantId'>): Promise<void>
  /** with all that is below it */
  remove(id: string): Promise<void>
  /** puts texts that were removed back where they were, all of them or none; each after the one above it */
  restore(texts: readonly ContentText[]): Promise<void>
}

const patienceMs = 60_000
/** texts that are sent at once */
const atOnce = 200
const pauseMs = 500

/** @param send - signs requests in */
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
    async restore(texts) {
      const { startContentImport: started } = await graph.request(StartContentImportDocument, { input: { tenantId } })
      const { importId } = present(started)
      for (let at = 0; at < texts.length; at += atOnce) {
        const nodes = texts.slice(at, at + atOnce).map(asImported)
        await graph.request(AppendContentImportDocument, { input: { importId, sequence: at / atOnce, nodes } })
      }
      for (;;) {
        const { finishContentImport: finished } = await graph.request(FinishContentImportDocument, { input: { importId } })
        if (present(finished).summary !== null) return
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },
  }
}

const asImported = ({ id, external_id, parent_id, created_at, updated_at, media, ...text }: ContentText) => ({
  ...{ id, externalId: external_id, parentId: parent_id, createdAt: created_at, updatedAt: updated_at, media },
  ...{ title: text.title, slug: text.slug, summary: text.summary, body: text.body },
  ...{ locale: text.locale, position: text.position, metadata: text.metadata },
})

function present<Answer>(answer: Answer | null | undefined): Answer {
  if (answer == null) throw new OutcomeUnknownError('The platform has not said what came of it')
  return answer
}
