import { access, constants } from 'node:fs/promises'
import { z } from 'zod'

const Cluster = z.object({ status: z.string() })

/**
 * Whether the engine of the search index is there, for a process that does not search and need not load its client.
 * @param place - URL of an Elasticsearch, or LanceDB's folder   @throws {Error} when it is not; never with a password of the URL
 */
export async function searchEngineHealth(place: string, signal: AbortSignal): Promise<void> {
  if (!URL.canParse(place))
    return access(place, constants.R_OK).catch((error: unknown) => {
      throw new Error('its folder cannot be read', { cause: error })
    })
  const { username, password, ...address } = credentialsOf(place)
  const headers = username === '' ? {} : { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  const response = await fetch(`${address.origin}${address.path}/_cluster/health?timeout=500ms`, { headers, signal }).catch(
    (error: unknown) => {
      throw new Error('it does not answer', { cause: error })
    },
  )
  if (!response.ok) throw new Error(`it answers ${response.status}`)
  if (Cluster.parse(await response.json()).status === 'red') throw new Error('its cluster is red')
}

function credentialsOf(url: string): {
  readonly username: string
  readonly password: string
  readonly origin: string
  readonly path: string
} {
  const { username, password, origin, pathname } = new URL(url)
  return { username: decodeURIComponent(username), password: decodeURIComponent(password), origin, path: pathname.replace(/\/$/, '') }
}
