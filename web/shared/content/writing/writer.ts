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
import { useMemo } from 'react'
import { graphUrl, present } from '../../graph/graph-client.ts'
import { type Administrator, useSession } from '../../session/session.tsx'

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

/** Returns the writer of a tenant; undefined for users who may not write. */
export function useWriter(tenantId: string): Writer | undefined {
  const { signedIn, send } = useSession()
  const may = signedIn !== undefined && mayWrite(signedIn.administrator, tenantId)
  return useMemo(() => (may ? writerFor(send, tenantId) : undefined), [may, send, tenantId])
}

/** As the service decides: super administrators may change any tenant, others those of their groups. */
const mayWrite = ({ roles, groups }: Administrator, tenantId: string): boolean =>
  roles.includes('SUPER_ADMIN') || (roles.includes('GROUP_ADMIN') && groups.some(({ id }) => id === tenantId))
