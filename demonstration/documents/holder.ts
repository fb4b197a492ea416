import { seededRandom } from '../seeded-random.ts'

/** The invented person whom a document is made out to. */
export interface Holder {
  /** Whose face it is */
  readonly seed: number
  readonly firstName: string
  readonly lastName: string
  /** Dates as YYYY-MM-DD */
  readonly dateOfBirth: string
  readonly sex: 'M' | 'F'
  /** ISO 3166 alpha-3 */
  readonly nationality: string
  /** Who issued the document, ISO 3166 alpha-3 */
  readonly issuingCountry: string
  readonly placeOfBirth: string
  readonly documentNumber: string
  readonly issued: string
  readonly expires: string
}

const firstNames = {
  F: ['Aïssatou Bintou', 'Akissi Élodie', 'Françoise', 'Zoé', 'Marie-Claire', 'Fatoumata', 'Lalla Khadija', 'Chloé Inès', 'Hanitra', 'Awa'],
  M: ['Jean-François', 'Wendpagnangdé', 'Hery Zo', 'Ibrahima', 'Loïc', 'Mamadou Lamine', 'Étienne', 'Youssef', 'Noël Désiré', 'Kofi'],
} as const

const origins = [
  { country: 'SEN', places: ['Ziguinchor', 'Saint-Louis', 'Thiès'], lastNames: ['DIÉMÉ', 'NDIAYE', 'SARR', 'BA'] },
  { country: 'FRA', places: ['Saint-Étienne', 'Orléans', 'Le Havre'], lastNames: ['LEFÈVRE-MOREAU', "D'ARCY", 'BÉRANGER', 'DUPONT'] },
  { country: 'BFA', places: ['Ouagadougou', 'Koudougou'], lastNames: ['OUÉDRAOGO', 'SAWADOGO', 'KABORÉ'] },
  { country: 'CIV', places: ['Yamoussoukro', 'Bouaké', 'Abidjan'], lastNames: ["N'GUESSAN", 'KOUASSI', 'TRAORÉ'] },
  { country: 'MDG', places: ['Antananarivo', 'Toamasina'], lastNames: ['RAKOTOMALALA', 'RANDRIANASOLO'] },
  { country: 'CMR', places: ['Yaoundé', 'Garoua'], lastNames: ['MBARGA', 'ETOUNDI', 'NJOYA'] },
] as const

export interface HolderOptions extends Partial<Omit<Holder, 'seed'>> {
  /** The day on which the document is valid: issued up to nine years before, expiring one to ten years after; default 2026-01-01 */
  readonly today?: string
}

/** An invented holder, the same for the same seed; what is given stays as it is. */
export function makeHolder(seed: number, { today = '2026-01-01', ...given }: HolderOptions = {}): Holder {
  const random = seededRandom(seed ^ 0x5eed)
  const year = Number(today.slice(0, 4))
  const day = (from: number, to: number): string => {
    const date = new Date(
      Date.UTC(Math.floor(random.between(from, to)), Math.floor(random.between(0, 12)), Math.floor(random.between(1, 29))),
    )
    return date.toISOString().slice(0, 10)
  }
  const digits = (count: number): string => Array.from({ length: count }, () => Math.floor(random.next() * 10)).join('')
  const origin = random.pick(origins)
  const sex = random.pick(['F', 'M'] as const)
  return {
    seed,
    firstName: random.pick(firstNames[sex]),
    lastName: random.pick(origin.lastNames),
    dateOfBirth: day(year - 70, year - 19),
    sex,
    nationality: origin.country,
    issuingCountry: origin.country,
    placeOfBirth: random.pick(origin.places),
    documentNumber: `${random.pick([...'ABCDEFGHJKLMNPRSTUVWXYZ'])}${random.pick([...'ABCDEFGHJKLMNPRSTUVWXYZ'])}${digits(7)}`,
    issued: day(year - 8, year),
    expires: day(year + 1, year + 7),
    ...given,
  }
}
