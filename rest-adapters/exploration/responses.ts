import { z } from 'zod'

const counts = { positive: z.int(), neutral: z.int(), negative: z.int() }
const score = z.number().nullable().meta({
  description: '(positive - negative) / (positive + neutral + negative), from -1 to 1; null when no expression has a sentiment',
})
const Sentiment = z.object({ ...counts, score }).meta({ id: 'Sentiment' })
const moment = z.string().meta({ format: 'date-time' })

const byValue = { agree: z.int(), disagree: z.int(), pass: z.int() }
const UnverifiedVotes = z.object({ total: z.int(), ...byValue }).meta({
  id: 'UnverifiedVotes',
  description: 'An addition to the interface specification: votes without a verified identity, which no other figure counts',
})

const Cluster = z.object({
  cluster: z.literal(true),
  cluster_id: z.string().meta({ description: 'The tile that contains the expressions: zoom/column/row' }),
  point_count: z.int(),
  expansion_zoom: z.int().meta({ description: 'Lowest zoom at which the cluster may separate' }),
  sentiment: Sentiment,
  domains: z.record(z.string(), z.int()).meta({ description: 'Number of expressions by domain id' }),
})
const Single = z.object({
  cluster: z.literal(false),
  id: z.string(),
  domain: z.string().nullable(),
  sub_domain: z.string().nullable(),
  sentiment: z.enum(['positive', 'neutral', 'negative']).nullable(),
  lang: z.string(),
  created_at: moment,
  votes: z.object(byValue),
  unverified_votes: z
    .object(byValue)
    .meta({ description: 'An addition to the interface specification: votes without a verified identity, which `votes` does not count' }),
})

/** A FeatureCollection (RFC 7946) with foreign members. */
export const MapAnswer = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        geometry: z.object({ type: z.literal('Point'), coordinates: z.array(z.number()).meta({ description: 'longitude, latitude' }) }),
        properties: z.union([Cluster, Single]),
      }),
    ),
    total: z.int().meta({ description: 'Number of matching expressions in the area, plus those without a location' }),
    unmapped: z.int().meta({ description: 'Number of matching expressions without a location' }),
    zoom: z.int().meta({ description: 'Zoom of the grid that groups expressions: at most 64 of its tiles cover the area' }),
    requested_zoom: z.int().nullable(),
    attribution: z.string(),
    generated_at: moment,
  })
  .meta({ id: 'Map' })

const DomainStatistics = z
  .object({
    expressions: z.int(),
    votes: z.int(),
    unverified_votes: UnverifiedVotes,
    participants: z.int(),
    share: z.number().meta({ description: 'Share of all expressions that have a domain, 0 to 1' }),
    sentiment: Sentiment,
    last_7d: z.int(),
    trend: z
      .number()
      .meta({ description: '(last seven days - preceding seven days) / (preceding seven days, or 1 when that number is 0)' }),
  })
  .meta({ id: 'DomainStatistics' })
const domain = {
  id: z.string(),
  slug: z.string(),
  label: z.record(z.string(), z.string()).meta({ description: 'By language' }),
  depth: z.int(),
  children_count: z.int(),
  stats: DomainStatistics,
}
const SubDomain = z.object({ ...domain, sub_domains: z.array(z.never()) }).meta({ id: 'SubDomain' })
const Domain = z.object({ ...domain, sub_domains: z.array(SubDomain) }).meta({ id: 'Domain' })

export const DomainsAnswer = z.object({ domains: z.array(Domain), version: z.string(), generated_at: moment }).meta({ id: 'Domains' })

export const StatsAnswer = z
  .object({
    expressions: z.object({ total: z.int(), today: z.int(), last_7d: z.int(), by_lang: z.record(z.string(), z.int()) }),
    votes: z.object({ total: z.int(), ...byValue }),
    unverified_votes: UnverifiedVotes,
    sentiment: z.object({
      ...counts,
      score,
      history: z
        .array(z.object({ day: z.string(), expressions: z.int(), ...counts, score }))
        .meta({ description: 'Days that have expressions: in the last two years, or with bbox in the last 92 days' }),
    }),
    participants: z.int().nullable().meta({ description: 'Number of distinct authors and verified voters; null with from, to or bbox' }),
    domains: z.object({ total: z.int(), active: z.int() }),
    generated_at: moment,
  })
  .meta({ id: 'Stats' })

/** a domain as the operation returns it */
export const domainData = z.object({
  id: z.string(),
  slug: z.string(),
  labels: z.array(z.object({ lang: z.string(), text: z.string() })),
  depth: z.int(),
  children_count: z.int(),
  stats: z.unknown(),
})

/** Returns the labels in a language, or all labels if none has that language. */
function labelsIn(labels: readonly { readonly lang: string; readonly text: string }[], lang: string | undefined): Record<string, string> {
  const inLanguage = labels.filter((label) => lang === undefined || label.lang === lang)
  return Object.fromEntries((inLanguage.length === 0 ? labels : inLanguage).map((label) => [label.lang, label.text]))
}

/** Converts a domain to the documented form, with labels in one language. */
export function domainAs({ id, slug, labels, depth, children_count, stats }: z.output<typeof domainData>, lang: string | undefined) {
  return { id, slug, label: labelsIn(labels, lang), depth, children_count, stats }
}

const byLang = z
  .array(z.object({ lang: z.string(), count: z.int() }))
  .transform((list) => Object.fromEntries(list.map(({ lang, count }) => [lang, count])))
const figures = {
  expressions: z.object({ total: z.int(), today: z.int(), last_7d: z.int(), by_lang: byLang }),
  votes: z.looseObject({ unverified: UnverifiedVotes }),
}
/** Moves unverified votes from within the votes to the documented place beside them. */
const unverifiedBeside = <Counted extends { readonly votes: { readonly unverified: unknown } }>({
  votes: { unverified, ...votes },
  ...others
}: Counted) => ({ ...others, votes, unverified_votes: unverified })
/** the statistics as the operation returns them */
export const statsData = z.looseObject(figures).transform(unverifiedBeside)
/** the same with their version, as in an event */
export const versionedStatsData = z
  .looseObject({ version: z.string(), ...figures })
  .transform((data) => ({ ...unverifiedBeside(data), version: data.version }))

/** selection of votes in an operation */
export const votesSelection = 'votes { total agree disagree pass unverified { total agree disagree pass } }'
