import { NoAnswerError, NotFoundError } from '@civigraph/client'
import { answerOf, type ContentSchemas, contentClient } from '@civigraph/client/rest'
import type { ContentText, ContentView, Source } from '../../shared/content/place/content-view.ts'
import type { Library, PageRequest } from '../../shared/content/place/library.ts'
import { placeIn } from '../place/place.ts'
import { viewIn } from './whole-tree.ts'

/** adds the credentials of the signed-in user, who may read private tenants */
let send: typeof fetch = fetch

/** Sets the `fetch` of later requests. */
export function readWith(sending: typeof fetch): void {
  send = sending
}

const sendAsUser: typeof fetch = (input, init) => send(input, init)
const rest = contentClient({ baseUrl: location.origin, timeoutMs: 12_000, fetch: sendAsUser })
/** reading or typesetting a large tree takes long */
const patient = contentClient({ baseUrl: location.origin, timeoutMs: 300_000, fetch: sendAsUser })
/** children per page */
const first = 50
/** the browser revalidates by ETag; a 304 is served from its cache */
const asking = { cache: 'no-cache' } as const

/** The signed link to a private tenant in the address of the page. */
const accessOf = () => {
  const { access } = placeIn(location.search)
  return access === undefined ? {} : { access }
}

/** @param tenant - '': the service's default tenant */
const headerOf = (tenant: string) => (tenant === '' ? {} : { 'X-Tenant-Id': tenant })

/**
 * Reads a text, its ancestors and a page of its children; offline from the cache.
 * @param id - undefined for the root
 * @throws {NotFoundError}
 * @throws {NoAnswerError}
 */
export async function readText(tenant: string, id: string | undefined, reading: PageRequest = {}): Promise<ContentView> {
  try {
    return await askText(tenant, id, reading)
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error
    const cached = await readWhole(tenant, rest).catch(() => undefined)
    const view = cached?.savedAt === undefined ? undefined : viewIn(cached.texts, id, cached.savedAt)
    if (view === undefined) throw error
    return view
  }
}

async function askText(tenant: string, id: string | undefined, { after, signal }: PageRequest): Promise<ContentView> {
  const params = { header: headerOf(tenant), query: { first, ...accessOf(), ...(after !== undefined && { after }) } }
  const options = { ...asking, ...(signal !== undefined && { signal }) }
  if (id === undefined) {
    const answering = rest.GET('/api/v1/nodes/root', { params, ...options })
    const { root, children, next, snapshot_at } = await answerOf(answering)
    return { node: root, ancestors: [], children, next: next ?? undefined, ...sourceOf((await answering).response, snapshot_at) }
  }
  const answering = rest.GET('/api/v1/nodes/{node_id}', { params: { ...params, path: { node_id: id } }, ...options })
  const { node, ancestors, children, next, snapshot_at } = await answerOf(answering)
  return { node, ancestors, children, next: next ?? undefined, ...sourceOf((await answering).response, snapshot_at) }
}

/** Reads a text with all its descendants, parents first. */
export async function readSubtree(tenant: string, id: string): Promise<readonly ContentText[]> {
  const params = { header: headerOf(tenant), query: accessOf(), path: { node_id: id } }
  return flat(await answerOf(patient.GET('/api/v1/nodes/{node_id}/full', { params, ...asking })))
}

function flat(text: ContentText | ContentSchemas['NestedNode']): readonly ContentText[] {
  if (!('children' in text)) return [text]
  const { children, ...own } = text
  return [own, ...children.flatMap(flat)]
}

export interface WholeTree extends Source {
  /** parents first */
  readonly texts: readonly ContentText[]
}

/**
 * Reads all texts of a tenant.
 * @throws {NotFoundError}
 * @throws {NoAnswerError}
 */
export async function readWhole(tenant: string, from: typeof rest = patient): Promise<WholeTree> {
  const answering = from.GET('/api/v1/export', { params: { header: headerOf(tenant), query: accessOf() }, ...asking })
  const content: ContentText | ContentText[] = await answerOf(answering)
  const texts = Array.isArray(content) ? content : [content]
  if (texts.length === 0) throw new NotFoundError('There is no tree')
  return { texts, ...sourceOf((await answering).response, null) }
}

function sourceOf({ headers }: Response, snapshotAt: string | null): Source {
  return { snapshotAt: snapshotAt ?? undefined, savedAt: headers.get('X-Saved-At') ?? undefined }
}

/** Reads a text with all its descendants as a file. @param id - undefined for the whole tree */
export function readFile(tenant: string, kind: 'json' | 'pdf', id: string | undefined): Promise<Blob> {
  const [header, query] = [headerOf(tenant), accessOf()]
  const options = { ...asking, parseAs: 'blob' } as const
  if (id === undefined) return answerOf<Blob>(patient.GET('/api/v1/pdf', { params: { header, query }, ...options }))
  const params = { header, query, path: { node_id: id } }
  return kind === 'pdf'
    ? answerOf<Blob>(patient.GET('/api/v1/nodes/{node_id}/pdf', { params, ...options }))
    : answerOf<Blob>(patient.GET('/api/v1/nodes/{node_id}/full', { params, ...options }))
}

/** Reads the texts of a tenant over REST, which the service worker can cache. */
export const readerLibrary = (tenant: string): Library => ({
  tenant,
  readText: (id, reading) => readText(tenant, id, reading),
  readSubtree: (id) => readSubtree(tenant, id),
})
