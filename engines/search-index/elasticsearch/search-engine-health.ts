import { access, constants } from 'node:fs/promises'
import { z } from 'zod'
import type { Authorities } from '../../../foundation/engine-start/authorities.ts'
import type { ElasticAddress } from './elastic-client.ts'

const Cluster = z.object({ status: z.string() })

/** Checks LanceDB's folder, for a process that does not search. @throws {Error} if it cannot be read */
export async function searchFolderHealth(folder: string): Promise<void> {
  await access(folder, constants.R_OK).catch((error: unknown) => {
    throw new Error('its folder cannot be read', { cause: error })
  })
}

/**
 * Checks Elasticsearch without loading its client, for a process that does not search. @param address - nodes, comma separated; one response is
 * enough
 * @throws {Error} if none responds or the cluster is red; never contains a password
 */
export async function elasticsearchHealth(address: ElasticAddress, signal: AbortSignal): Promise<void> {
  const ended = await Promise.any(address.url.split(',').map((node) => ask(node, address, signal))).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error
  })
  if (!ended.ok) throw new Error(`GET /_cluster/health returned HTTP ${ended.status}`)
  if (Cluster.parse(await ended.json()).status === 'red') throw new Error('the cluster status is red')
}

interface HealthRequest {
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
}
type Answer = Pick<Response, 'ok' | 'status' | 'json'>

async function ask(node: string, { apiKey, ca }: ElasticAddress, signal: AbortSignal): Promise<Answer> {
  const { username, password, origin, pathname } = new URL(node)
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const authorization = apiKey === undefined ? (username === '' ? undefined : `Basic ${basic}`) : `ApiKey ${apiKey}`
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  const question = `${origin}${pathname.replace(/\/$/, '')}/_cluster/health?timeout=500ms`
  const response = ca === undefined ? fetch(question, { headers, signal }) : askTrusting(ca, question, { headers, signal })
  return response.catch((error: unknown) => {
    throw new Error('no node of ELASTICSEARCH_URL responds', { cause: error })
  })
}

/** Sends the request with custom CA certificates, which the global fetch does not accept. */
async function askTrusting(ca: Authorities, question: string, options: HealthRequest): Promise<Answer> {
  const { Agent, request } = await import('undici')
  const dispatcher = new Agent({ connect: { ca: ca() } })
  try {
    const { statusCode: status, body } = await request(question, { ...options, dispatcher })
    const content: unknown = await body.json()
    return { ok: status < 400, status, json: async () => content }
  } finally {
    await dispatcher.close()
  }
}
