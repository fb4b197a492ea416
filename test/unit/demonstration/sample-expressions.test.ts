import { describe, expect, it } from 'vitest'
import { demonstrationPlaces, sampleExpressions } from '../../../demonstration/expressions/sample-expressions.ts'
import { gazetteer } from '../../../engines/geocoder/gazetteer.ts'

describe('the expressions of the demonstration', () => {
  const all = sampleExpressions()

  it('are 2,400 distinct texts, the same in every run', () => {
    expect(new Set(all.map(({ text }) => text)).size).toBe(2400)
    expect(new Set(all.map(({ externalId }) => externalId)).size).toBe(2400)
    expect(sampleExpressions()).toEqual(all)
    expect(all.filter(({ text }) => /[{}]|undefined/.test(text))).toEqual([])
  })

  it('spread over 90 days, most of them with votes of several people', () => {
    const days = new Set(all.map(({ hoursAgo }) => Math.floor(hoursAgo / 24)))
    expect([Math.min(...days), days.size, Math.max(...days)]).toEqual([0, 90, 89])
    expect(all.flatMap(({ votes }) => Object.values(votes)).length).toBeGreaterThan(2000)
    expect(new Set(all.map(({ author }) => author)).size).toBeGreaterThan(500)
  })

  it('cover every domain in three languages', () => {
    expect(new Set(all.map(({ domainHint }) => domainHint)).size).toBe(15)
    expect(all.filter(({ text }) => /\p{Script=Arabic}/u.test(text)).length).toBeGreaterThan(400)
  })

  it('have places that the gazetteer locates within 0.01 degrees', async () => {
    const places = gazetteer({ preferredCountries: [] })
    for (const { city, country, lat, lon } of Object.values(demonstrationPlaces).flat()) {
      const match = await places.locate({ city, country }, AbortSignal.timeout(60_000))
      expect([city, Math.abs((match?.lat ?? 99) - lat) < 0.01, Math.abs((match?.lon ?? 999) - lon) < 0.01]).toEqual([city, true, true])
    }
  })
})
