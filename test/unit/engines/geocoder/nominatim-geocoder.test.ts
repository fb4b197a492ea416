import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nominatimGeocoder } from '../../../../engines/geocoder/nominatim-geocoder.ts'
import { placeNamesIn } from '../../../../engines/geocoder/place-names.ts'
import { StubServer, sendJson } from '../../../support/engines/stub-server.ts'

const { signal } = new AbortController()
const cocody = {
  place_id: 1,
  licence: 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright',
  osm_type: 'relation',
  osm_id: 3,
  lat: '5.3548',
  lon: '-3.9883',
  category: 'boundary',
  type: 'administrative',
  place_rank: 16,
  importance: 0.4,
  addresstype: 'suburb',
  name: 'Cocody',
  display_name: 'Cocody, Abidjan, Côte d’Ivoire',
  address: { suburb: 'Cocody', city: 'Abidjan', country: 'Côte d’Ivoire', country_code: 'ci' },
  boundingbox: ['5.3', '5.4', '-4.0', '-3.9'],
}
let server: StubServer
let now = 0

beforeAll(async () => {
  server = await StubServer.open(() => undefined)
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  server.seen.length = 0
  server.answer = (_, response) => sendJson(response, [cocody])
})

const open = (countries: readonly string[] = ['CI'], url = `${server.url}/`) =>
  nominatimGeocoder({ url, countries, userAgent: 'Civigraph/1 (+https://civic.example)', clock: { now: () => now } })
const queries = () => server.seen.map(({ url }) => Object.fromEntries(new URL(url, server.url).searchParams))

describe('Nominatim', () => {
  it('finds the place or quarter that a text names in the preferred countries', async () => {
    expect(await open().find('Plus d’eau à Cocody depuis lundi', signal)).toEqual({
      lat: 5.3548,
      lon: -3.9883,
      precision: 'city',
      name: 'Cocody',
      country: 'CI',
    })
    expect(server.seen[0]?.headers['user-agent']).toBe('Civigraph/1 (+https://civic.example)')
    expect(server.seen[0]?.url).toMatch(/^\/search\?/)
    expect(queries()[0]).toMatchObject({ q: 'Cocody', format: 'jsonv2', limit: '1', countrycodes: 'ci' })
  })

  it('queries an address by its parts within the stated country', async () => {
    server.answer = (_, response) => sendJson(response, [{ ...cocody, place_rank: 30 }])
    const place = await open().locate({ address: '5 rue des Jardins', postcode: '01', city: 'Abidjan', country: 'CIV' }, signal)
    expect(place?.precision).toBe('address')
    expect(queries()[0]).toMatchObject({ street: '5 rue des Jardins', postalcode: '01', city: 'Abidjan', countrycodes: 'ci' })
    expect(await open().locate({ city: 'Abidjan', country: 'Nowhere' }, signal)).toBeUndefined()
    expect(server.seen).toHaveLength(1)
  })

  it('sends a query once, also when there is no such place', async () => {
    const geocoder = open()
    server.answer = (_, response) => sendJson(response, [])
    for (let times = 0; times < 3; times++) expect(await geocoder.locate({ city: 'Atlantis' }, signal)).toBeUndefined()
    expect(server.seen).toHaveLength(1)
  })

  it('sends no query for a text that names no place', async () => {
    expect(await open().find('Il n’y a plus d’eau chez nous', signal)).toBeUndefined()
    expect(server.seen).toHaveLength(0)
  })

  it.each([
    ['unavailable', 503, { error: 'busy' }],
    ['another service', 200, { this: 'is no list' }],
    ['out of this world', 200, [{ ...cocody, lat: '123' }]],
  ])('fails the step when the server is %s, and pauses after three failures', async (_, status, body) => {
    server.answer = (_request, response) => sendJson(response, body, status)
    const geocoder = open()
    for (let times = 0; times < 5; times++)
      await expect(geocoder.locate({ city: `Town ${times}` }, signal)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    expect(server.seen).toHaveLength(3)
    now += 60_000
    server.answer = (_request, response) => sendJson(response, [cocody])
    expect(await geocoder.locate({ city: 'Town 9' }, signal)).toMatchObject({ name: 'Cocody' })
  })

  it('aborts a slow query', async () => {
    server.answer = () => new Promise(() => undefined)
    await expect(open().locate({ city: 'Abidjan' }, signal)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  })

  it('limits queries to the public service to those with a turn within the time limit', async () => {
    // no packet leaves: the host name does not resolve, so only the turns count
    const geocoder = open([], 'http://nominatim.openstreetmap.org.invalid.openstreetmap.org:1')
    const answers = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => geocoder.locate({ city: `Town ${n}` }, signal)))
    const busy = answers.filter((each) => each.status === 'rejected' && String(each.reason.cause?.message).includes('more queries than'))
    expect(busy).toHaveLength(4)
  })
})

describe('candidate place names', () => {
  it.each([
    ['Plus d’eau à Cocody depuis lundi', ['Cocody']],
    ['Power cut near Saint Louis again', ['Saint Louis']],
    ['Le marché de Treichville et le Plateau', ['Treichville', 'Plateau']],
    ['انقطع الماء في حي الياسمين', ['الياسمين']],
    ['Bonjour. Merci. Rien', []],
    ['TOUT EN MAJUSCULES', []],
  ])('%s', (text, names) => expect(placeNamesIn(text)).toEqual(names))
})
