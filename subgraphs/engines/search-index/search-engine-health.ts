import { access, constants } from 'node:fs/promises'
import { z } from 'zod'

const Cluster = z.object({ status: z.string() })

/** Whether LanceDB's folder is there, for a process that does not search. @throws {Error} when it cannot be read */
export async function searchFolderHealth(folder: string): Promise<void> {
  await access(folder, constants.R_OK).catch((error: unknown) => {
    throw new Error('its folder cannot be read', { cause: error })
  })
}

/**
 * Whether an Elasticsearch is there, for a process that does not search and need not load its client.
 * @param address - of its nodes, with commas between them: one that answers is enough
 * @throws {Error} when none does, or the cluster is red; never with a password of the URL
 */
export async function elasticsearchHealth(
  { url, apiKey }: { readonly url: string; readonly apiKey?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const ended = await Promise.any(url.split(',').map((node) => ask(node, apiKey, signal))).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error
  })
  if (!ended.ok) throw new Error(`it answers ${ended.status}`)
  if (Cluster.parse(await ended.json()).status === 'red') throw new Error('its cluster is red')
}

async function ask(node: string, apiKey: string | undefined, signal: AbortSignal): Promise<Response> {
  const { username, password, origin, pathname } = new URL(node)
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const authorization = apiKey === undefined ? (username === '' ? undefined : `Basic ${basic}`) : `ApiKey ${apiKey}`
  const headers = authorization === undefined ? {} : { authorization }
  return fetch(`${origin}${pathname.replace(/\/$/, '')}/_cluster/health?timeout=500ms`, { headers, signal }).catch((error: unknown) => {
    throw new Error('it does not answer', { cause: error })
  })
}
