import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'
import { type SeededRandom, seededRandom } from '../drawing/seeded-random.ts'
import { domainMoods, episodes } from './moods.ts'

/** A town where demonstration expressions come from; position from GeoNames (CC BY 4.0), rounded to 0.001 degrees. */
const Place = z.strictObject({
  city: z.string().min(1),
  country: z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code'),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  /** how often it comes up beside the others of its language */
  weight: z.number().positive(),
})
type DemonstrationPlace = Readonly<z.output<typeof Place>>

/** By the language that its citizens write in here. */
export const demonstrationPlaces: Readonly<Record<'fr' | 'en' | 'ar', readonly DemonstrationPlace[]>> = readData(
  'demonstration/expressions/places.json',
  z.strictObject({ fr: z.array(Place), en: z.array(Place), ar: z.array(Place) }),
)

const Sentences = z.array(z.string().min(1)).min(1)

/** What citizens might say about one domain, by sentiment. Whole sentences that can stand next to each other. */
const DomainSentences = z.strictObject({ negative: Sentences, positive: Sentences, neutral: Sentences })
type Sentiment = keyof z.output<typeof DomainSentences>

/** What one language contributes: by domain, and what may stand before and after any of it. `{place}` stands for the name of a town. */
const LanguageSentences = z.strictObject({ before: Sentences, after: DomainSentences, byDomain: z.record(z.string(), DomainSentences) })
type LanguageSentences = z.output<typeof LanguageSentences>

const sentences: Readonly<Record<'fr' | 'en' | 'ar', LanguageSentences>> = {
  fr: readData('demonstration/expressions/french.json', LanguageSentences),
  en: readData('demonstration/expressions/english.json', LanguageSentences),
  ar: readData('demonstration/expressions/arabic.json', LanguageSentences),
}

export interface SampleExpression {
  /** the same in every run */
  readonly externalId: string
  readonly text: string
  /** hours before the moment from which the demonstration looks back */
  readonly hoursAgo: number
  readonly author: string
  /** the topic, from senders whose form asks for it */
  readonly domainHint: string | undefined
  readonly location:
    | { readonly city: string; readonly country: string }
    | { readonly lat: number; readonly lon: number }
    /** only what the text says, if it says anything */
    | undefined
  /** by voter */
  readonly votes: Readonly<Record<string, 'AGREE' | 'DISAGREE' | 'PASS'>>
}

type Language = keyof typeof demonstrationPlaces

const count = 2400
const seed = 20_260
const days = 90
const people = 1100
const maxVotes = 12
const hinted = 0.45
const languages: readonly Language[] = ['fr', 'fr', 'fr', 'en', 'en', 'ar', 'ar']

/** 2,400 things that citizens of real towns might say over 90 days, each a mix of sentences that we wrote; the same ones in every run. */
export function sampleExpressions(): readonly SampleExpression[] {
  const random = seededRandom(seed)
  const usedTexts = new Set<string>()
  const made: SampleExpression[] = []
  while (made.length < count) {
    const expression = make(random, made.length)
    if (usedTexts.has(expression.text)) continue
    usedTexts.add(expression.text)
    made.push(expression)
  }
  return made
}

function make(random: SeededRandom, index: number): SampleExpression {
  const chance = random.next()
  let passed = 0
  const episode = episodes.find(({ share }) => {
    passed += share
    return passed > chance
  })
  const language = episode === undefined ? random.pick(languages) : languageOf(episode.city)
  const places = demonstrationPlaces[language]
  const place = places.find(({ city }) => city === episode?.city) ?? weighted(random, places, ({ weight }) => weight)
  const [domain, { negative, positive }] =
    domainMoods.find(([id]) => id === episode?.domain) ?? weighted(random, domainMoods, ([, { weight }]) => weight)
  const mood = random.between(0, 100)
  const sentiment: Sentiment = episode?.sentiment ?? (mood < negative ? 'negative' : mood < negative + positive ? 'positive' : 'neutral')
  return {
    externalId: `demonstration-${String(index + 1).padStart(4, '0')}`,
    text: textOf(random, sentences[language], domain, sentiment, place),
    hoursAgo: episode === undefined ? hoursAgo(random) : 24 * random.between(episode.to, episode.from),
    author: `demonstration-${Math.floor(random.next() ** 1.4 * people)}`,
    domainHint: random.next() < hinted ? domain : undefined,
    location: locationOf(random, place),
    votes: votesOf(random, sentiment),
  }
}

function textOf(
  random: SeededRandom,
  { byDomain, before, after }: LanguageSentences,
  domain: string,
  sentiment: Sentiment,
  place: DemonstrationPlace,
) {
  const own = byDomain[domain]?.[sentiment] ?? []
  const first = random.pick(own)
  const second = random.next() < 0.3 ? random.pick(own) : first
  return [
    ...(random.next() < 0.42 ? [random.pick(before)] : []),
    first,
    ...(second === first ? [] : [second]),
    ...(random.next() < 0.5 ? [random.pick(after[sentiment])] : []),
  ]
    .join(' ')
    .replaceAll('{place}', place.city)
}

/** A little more every week, less at weekends and at night. */
function hoursAgo(random: SeededRandom): number {
  for (;;) {
    const day = Math.floor(days * (1 - Math.sqrt(1 - 0.85 * random.next())) * 1.62)
    if (day >= days || (day % 7 > 4 && random.next() < 0.45)) continue
    return 24 * day + random.between(0, 15)
  }
}

function locationOf(random: SeededRandom, { city, country, lat, lon }: DemonstrationPlace): SampleExpression['location'] {
  const chance = random.next()
  if (chance < 0.07) return undefined
  if (chance < 0.5) return { city, country }
  const near = (value: number): number => Math.round((value + (random.next() - random.next()) * 0.06) * 1e4) / 1e4
  return { lat: near(lat), lon: near(lon) }
}

function votesOf(random: SeededRandom, sentiment: Sentiment): SampleExpression['votes'] {
  const many = random.next() < 0.4 ? 0 : Math.floor(random.next() ** 2.2 * maxVotes)
  const agreeing = sentiment === 'neutral' ? 0.5 : 0.72
  const voters = Array.from({ length: many }, () => `demonstration-${Math.floor(random.next() * people)}`)
  return Object.fromEntries(
    voters.map((voter) => {
      const chance = random.next()
      return [voter, chance < agreeing ? 'AGREE' : chance < agreeing + 0.17 ? 'DISAGREE' : 'PASS']
    }),
  )
}

function weighted<Item>(random: SeededRandom, items: readonly Item[], weightOf: (item: Item) => number): Item {
  let remaining = random.next() * items.reduce((sum, item) => sum + weightOf(item), 0)
  for (const item of items) {
    remaining -= weightOf(item)
    if (remaining < 0) return item
  }
  return random.pick(items)
}

function languageOf(city: string): Language {
  return languages.find((language) => demonstrationPlaces[language].some((place) => place.city === city)) ?? 'fr'
}
