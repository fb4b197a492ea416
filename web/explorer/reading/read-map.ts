import { answerOf, explorationClient } from '@civigraph/client/rest'
import { type Filters, wantedOf } from '../filters/address.ts'
import type { MapAnswer } from '../view/features.ts'

const patienceMs = 12_000
const rest = explorationClient({
  baseUrl: location.origin,
  // revalidates the browser's cached response by its ETag
  fetch: (input, init) => fetch(input, { ...init, cache: 'no-cache' }),
  timeoutMs: patienceMs,
})

/**
 * Reads `/api/v1/map` of an area, "west,south,east,north"; without one, of the whole world.
 * @throws {CivigraphError}
 */
export async function readMap(
  filters: Filters,
  { bbox, zoom }: { readonly bbox?: string | undefined; readonly zoom: number },
  signal: AbortSignal,
): Promise<MapAnswer> {
  const query = { zoom, ...(bbox !== undefined && { bbox }), ...wantedOf(filters) }
  // OpenAPI cannot express that positions are two numbers
  const answer: unknown = await answerOf(rest.GET('/api/v1/map', { params: { query }, signal }))
  return answer as MapAnswer
}
