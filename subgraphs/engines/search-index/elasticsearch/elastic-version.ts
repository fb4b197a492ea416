import type { Client } from '@elastic/elasticsearch'
import { z } from 'zod'
import { refuseOld } from '../../../foundation/opening/engine-version.ts'

/** of Elasticsearch, that we work with */
export const oldestElasticsearch = 9

const Info = z.object({ version: z.object({ number: z.string() }) })

/** Asked in plain JSON: an older one refuses the media type by which the client asks everything else. */
export async function versionOfElasticsearch(client: Client, signal?: AbortSignal): Promise<string> {
  const plain = { headers: { accept: 'application/json' }, ...(signal && { signal }) }
  const answer = await client.transport.request({ method: 'GET', path: '/' }, plain)
  return Info.safeParse(answer).data?.version.number ?? 'unknown'
}

/** @throws {EngineTooOld} */
export async function refuseOldElasticsearch(client: Client, signal?: AbortSignal): Promise<void> {
  refuseOld('Elasticsearch', await versionOfElasticsearch(client, signal), oldestElasticsearch)
}
