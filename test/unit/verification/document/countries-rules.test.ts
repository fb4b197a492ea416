import { describe, expect, it } from 'vitest'
import { countryCode, sameCountry } from '../../../../subgraphs/verification/document/countries.ts'

describe('a country', () => {
  it.each([
    ['FR', 'FRA'],
    ['fra', 'FRA'],
    ['D<<', 'DEU'],
    ['DEU', 'DEU'],
    ['GBD', 'GBR'],
    ['UTO', 'UTO'],
    ['XXA', 'XXA'],
    ['UNO', 'UNO'],
    ['250', 'FRA'],
    ['RKS', 'RKS'],
    ['Sénégal', 'SEN'],
    ['ivory coast', 'CIV'],
    ["Côte d'Ivoire", 'CIV'],
    [' sn ', 'SEN'],
    ['ZAR', 'COD'],
  ])('%s is %s', (text, code) => {
    expect(countryCode(text)).toBe(code)
  })

  it.each(['ZZ', 'QQQ', '', 'Atlantis', '999', '<<<'])('%s is no country', (text) => {
    expect(countryCode(text)).toBeUndefined()
  })

  it('is the same in two letters, three letters and ICAO letters, and unknown beside an unknown one', () => {
    expect(sameCountry('DE', 'D')).toBe(true)
    expect(sameCountry('SN', 'MLI')).toBe(false)
    expect(sameCountry('SN', 'QQQ')).toBeUndefined()
  })
})
