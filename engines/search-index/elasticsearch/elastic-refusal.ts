import { type Client, errors } from '@elastic/elasticsearch'
import { z } from 'zod'
import { EngineRefusal, refuseOld } from '../../../foundation/engine-start/engine-opening.ts'

/** oldest supported major version of Elasticsearch */
export const oldestElasticsearch = 9

const Info = z.object({ version: z.object({ number: z.string() }) })

/** Requests plain JSON: older versions reject the media type of the client. @throws {EngineRefusal} if the credentials are rejected */
export async function versionOfElasticsearch(client: Client, signal?: AbortSignal): Promise<string> {
  const plain = { headers: { accept: 'application/json' }, ...(signal && { signal }) }
  const answer = await client.transport.request({ method: 'GET', path: '/' }, plain).catch((error: unknown) => {
    throw refusalByElasticsearch(error) ?? error
  })
  return Info.safeParse(answer).data?.version.number ?? 'unknown'
}

function refusalByElasticsearch(error: unknown): EngineRefusal | undefined {
  const status = error instanceof errors.ResponseError ? error.statusCode : undefined
  if (status !== 401 && status !== 403) return undefined
  return new EngineRefusal(
    `Elasticsearch cannot be used: it rejects the credentials in ELASTICSEARCH_URL or ELASTICSEARCH_API_KEY (${status})`,
  )
}

/** @throws {EngineRefusal} */
export async function refuseOldElasticsearch(client: Client, signal?: AbortSignal): Promise<void> {
  refuseOld('Elasticsearch', await versionOfElasticsearch(client, signal), oldestElasticsearch)
}
