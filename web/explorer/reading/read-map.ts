import { boundedFetch, errorOfResponse, NoAnswerError } from '@civigraph/client'
import { type Filters, wantedOf } from '../filters/address.ts'
import type { MapAnswer } from '../view/features.ts'

const send = boundedFetch(fetch, 12_000)

/**
 * Reads `/api/v1/map` of an area, "west,south,east,north"; without one, of the whole world. Not with the REST client: this page has the script of a
 * map to load.
 * @throws {CivigraphError}
 */
export async function readMap(
  filters: Filters,
  { bbox, zoom }: { readonly bbox?: string | undefined; readonly zoom: number },
  signal: AbortSignal,
): Promise<MapAnswer> {
  const query = new URLSearchParams({ zoom: String(zoom), ...(bbox !== undefined && { bbox }), ...wantedOf(filters) })
  // revalidates the browser's cached response by its ETag
  const response = await send(`/api/v1/map?${query}`, { cache: 'no-cache', signal })
  const answer: unknown = await response.json().catch((error: unknown) => {
    if (response.ok) throw signal.aborted ? error : new NoAnswerError('The platform cannot be reached', {}, error)
  })
  if (!response.ok) throw errorOfResponse(response, answer)
  // the platform's own response, by its OpenAPI document
  return answer as MapAnswer
}
