/** The REST interface of the content service, as the reader uses it. */

const patienceMs = 12_000
/** a large tree takes its time to be typeset */
const filePatienceMs = 300_000
/** children that are shown at once */
const pageSize = 50

/** The service has refused, or did not answer. `status` is undefined when there was no answer. */
export class Refused extends Error {
  constructor(path, status) {
    super(`${path} answered ${status ?? 'nothing'}`)
    this.status = status
  }
}

/** @param {string} tenant - '' for the one of the page's visitor @throws {Refused} */
async function ask(path, tenant, signal, limitMs) {
  const limits = [AbortSignal.timeout(limitMs), ...(signal === undefined ? [] : [signal])]
  const headers = tenant === '' ? {} : { 'x-tenant-id': tenant }
  let response
  try {
    // The browser asks with the tag of what it has; a 304 comes out of its own store.
    response = await fetch(path, { cache: 'no-cache', headers, signal: AbortSignal.any(limits) })
  } catch {
    throw new Refused(path)
  }
  if (!response.ok) throw new Refused(path, response.status)
  return response
}

const nodePath = (id) => `/api/v1/nodes/${encodeURIComponent(id)}`

/**
 * A node, what is above it, and a page of what is directly below.
 * @param {string | undefined} id - undefined for the root
 */
export async function readNode(tenant, id, signal, after) {
  const query = new URLSearchParams({ first: String(pageSize), ...(after === undefined ? {} : { after }) })
  const response = await ask(`${id === undefined ? '/api/v1/nodes/root' : nodePath(id)}?${query}`, tenant, signal, patienceMs)
  const { root, node = root, ancestors = [], children, next, source, snapshot_at: snapshotAt } = await response.json()
  return { node, ancestors, children, next: next ?? undefined, source, snapshotAt }
}

/** @param {'json' | 'pdf'} kind @param {string | undefined} id - undefined for the whole tree */
export async function readFile(tenant, kind, id) {
  const path = id === undefined ? '/api/v1/pdf' : `${nodePath(id)}/${kind === 'pdf' ? 'pdf' : 'full'}`
  return (await ask(path, tenant, undefined, filePatienceMs)).blob()
}
