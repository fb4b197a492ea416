import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../../foundation/clock.ts'
import { Circuit } from '../../foundation/concurrency/circuit-breaker.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { boundedText } from '../../foundation/http/content.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { countryCode } from './country-code.ts'
import type { Address, Geocoder, Place } from './geocoder.ts'
import { placeNamesIn } from './place-names.ts'

export interface NominatimOptions {
  /** without `/search` */
  readonly url: string
  /** alpha-2: restricts the search for places mentioned without a country, unless empty */
  readonly countries: readonly string[]
  /** identifies the application, as the terms of the public service require */
  readonly userAgent: string
  readonly clock: Clock
}

/** https://nominatim.org/release-docs/latest/api/Output, jsonv2 */
const Found = z.array(
  z.object({
    lat: z.coerce.number().min(-90).max(90),
    lon: z.coerce.number().min(-180).max(180),
    display_name: z.string(),
    name: z.string().default(''),
    place_rank: z.number().default(30),
    address: z.object({ country_code: z.string().optional() }).optional(),
  }),
)

const answerLimitMs = 1500
const maxAnswerBytes = 256 * 1024
const retryEveryMs = 5000
const maxCached = 10_000
const cacheMs = 24 * 3_600_000
/** the public service: https://operations.osmfoundation.org/policies/nominatim */
const publicHost = /(?:^|\.)openstreetmap\.org$/
const publicSpacingMs = 1000
/** maximum wait for a turn; callers that would wait longer get a retry delay */
const maxTurnMs = 1500

/**
 * Finds places with Nominatim. Data © OpenStreetMap contributors (ODbL), which requires attribution. Sends at most one request per second to the
 * public service; caches results for a day, including "no such place".
 */
export function nominatimGeocoder({ url, countries, userAgent, clock }: NominatimOptions): Geocoder {
  const base = url.replace(/(?<!\/)\/+$/, '')
  const spacingMs = publicHost.test(new URL(url).hostname) ? publicSpacingMs : 0
  const circuit = new Circuit({ clock, engine: 'geocoder', answerLimitMs: answerLimitMs + maxTurnMs, retryEveryMs })
  const cache = new LRUCache<string, { readonly place: Place | undefined }>({ max: maxCached, ttl: cacheMs })
  let nextTurn = 0

  async function turn(signal: AbortSignal): Promise<void> {
    const now = clock.now()
    const at = Math.max(now, nextTurn)
    if (at - now > maxTurnMs) throw new Busy()
    nextTurn = at + spacingMs
    await pause(at - now, signal)
    signal.throwIfAborted()
  }

  async function ask(query: URLSearchParams, signal: AbortSignal): Promise<Place | undefined> {
    const response = await fetch(`${base}/search?${query}`, {
      headers: { 'user-agent': userAgent, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerLimitMs)]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`GET ${base}/search returned HTTP ${response.status}`)
    }
    const [best] = Found.parse(JSON.parse(await boundedText(response, maxAnswerBytes)))
    return best && placeOf(best)
  }

  /** @param wanted - search parameters; empty ones are left out */
  async function search(wanted: Readonly<Record<string, string | undefined>>, signal: AbortSignal): Promise<Place | undefined> {
    const query = new URLSearchParams({ format: 'jsonv2', limit: '1', addressdetails: '1' })
    for (const [name, value] of Object.entries(wanted)) if (value !== undefined && value !== '') query.set(name, value)
    const key = query.toString()
    const cached = cache.get(key)
    if (cached !== undefined) return cached.place
    try {
      const place = await circuit.run(async () => {
        await turn(signal)
        return ask(query, signal).catch((error: unknown) => {
          throw new EngineUnavailable('geocoder', error)
        })
      }, signal)
      cache.set(key, { place })
      return place
    } catch (error) {
      // too many queries do not mean that the service is unavailable
      if (error instanceof Busy) throw new EngineUnavailable('geocoder', error)
      throw error
    }
  }

  return {
    source: 'nominatim',
    async locate({ address, postcode, city, country }: Address, signal) {
      const code = country === undefined ? undefined : countryCode(country)
      if (country !== undefined && code === undefined) return undefined
      const within = code?.toLowerCase() ?? preferred(countries)
      if (city === undefined && postcode === undefined) return search({ q: address, countrycodes: within }, signal)
      return search({ street: address, postalcode: postcode, city, countrycodes: within }, signal)
    },
    async find(text, signal) {
      for (const name of placeNamesIn(text)) {
        const place = await search({ q: name, countrycodes: preferred(countries) }, signal)
        if (place !== undefined) return place
      }
      return undefined
    },
  }
}

class Busy extends Error {
  override readonly message = 'more queries than the public service allows'
}

const preferred = (countries: readonly string[]): string | undefined =>
  countries.length === 0 ? undefined : countries.join(',').toLowerCase()

/** https://nominatim.org/release-docs/latest/customize/Ranking: what ranks mean */
function precisionOf(rank: number): Place['precision'] {
  if (rank >= 28) return 'address'
  if (rank >= 26) return 'street'
  if (rank >= 13) return 'city'
  return rank >= 5 ? 'region' : 'country'
}

function placeOf({ lat, lon, name, display_name, place_rank, address }: z.output<typeof Found>[number]): Place {
  const country = address?.country_code?.toUpperCase() ?? null
  return { lat, lon, precision: precisionOf(place_rank), name: name === '' ? display_name.slice(0, 200) : name, country }
}
