import { z } from 'zod'
import { filterOf } from '../route/filter-schemas.ts'
import { healthRoutes } from '../route/health-route.ts'
import { operationRoute, text } from '../route/operation-route.ts'
import type { FixedRoute, Route } from '../route/route.ts'
import { domainsQuery, mapQuery, statsQuery } from './requests.ts'
import { DomainsAnswer, domainAs, domainData, MapAnswer, StatsAnswer, statsData, votesSelection } from './responses.ts'

const statistics = `stats: statistics {
  expressions votes unverified_votes: unverifiedVotes { total agree disagree pass } participants share sentiment { positive neutral negative score } last_7d: last7d trend
}`
const domain = `id slug labels { lang text } depth children_count: childrenCount ${statistics}`

/** Reads the version of a response. */
const versioned = z.object({ answer: z.object({ version: z.string() }) }).transform(({ answer }) => answer.version)
/** Whether the variables have words: the search index counts, which has no version. */
const isSearch = (variables: object): boolean => searchVariables.safeParse(variables).success
const searchVariables = z.union([z.object({ q: z.string() }), z.object({ filter: z.object({ q: z.string() }) })])

const versionOf = (signature: string, field: string) => ({
  operation: `query ${signature} { answer: ${field} { version } }`,
  of: versioned,
  isAbsentFor: isSearch,
})

/** Maps arguments to the parameters of other names, for errors. */
const filterPlaces = { box: ['query', 'bbox'], domainId: ['query', 'domain'] } as const
const mapField = 'map(filter: $filter, zoom: $zoom)'
const mapVariables = '($filter: MapFilterInput, $zoom: Int)'
const statsVariables = '($filter: StatisticsFilterInput)'

/** Returns the documented operations of component B, without its realtime channel. @param realtimeDocumentRoute - describes that channel */
export function explorationRoutes(realtimeDocumentRoute: FixedRoute): readonly Route[] {
  return [
    ...healthRoutes('exploration'),
    realtimeDocumentRoute,
    text({
      method: 'GET',
      path: '/api/v1/map',
      summary: 'Returns expressions by location, with nearby expressions grouped into clusters',
      description: 'A FeatureCollection (RFC 7946). The counts of all features and `unmapped` add up to `total`.',
      query: mapQuery,
      places: filterPlaces,
      operation: `query RestMap${mapVariables} { answer: ${mapField} { version text: geoJson } }`,
      version: versionOf(`RestMapVersion${mapVariables}`, mapField),
      variables: ({ query: { zoom, sentiment, lang, ...filter } }) => ({
        filter: { ...filterOf(filter), sentiment: sentiment?.toUpperCase() ?? null, lang: lang ?? null },
        zoom: zoom ?? null,
      }),
      from: z.object({ answer: z.object({ text: z.string() }) }).transform(({ answer }) => answer.text),
      answer: MapAnswer,
      mediaType: 'application/geo+json',
    }),
    operationRoute({
      method: 'GET',
      path: '/api/v1/domains',
      summary: 'Lists domains and sub-domains with their statistics',
      query: domainsQuery,
      operation: `query RestDomains($q: String) {
        answer: domains(q: $q) { version generated_at: generatedAt domains { ${domain} sub_domains: subDomains { ${domain} } } }
      }`,
      version: versionOf('RestDomainsVersion($q: String)', 'domains(q: $q)'),
      variables: ({ query: { lang, q } }) => ({ lang, q: q ?? null }),
      from: z
        .object({
          variables: z.object({ lang: z.string().optional() }),
          answer: z.object({
            version: z.string(),
            generated_at: z.string(),
            domains: z.array(domainData.extend({ sub_domains: z.array(domainData) })),
          }),
        })
        .transform(({ answer: { domains, version, generated_at }, variables: { lang } }) => ({
          domains: domains.map(({ sub_domains, ...each }) => ({
            ...domainAs(each, lang),
            sub_domains: sub_domains.map((part) => ({ ...domainAs(part, lang), sub_domains: [] })),
          })),
          version,
          generated_at,
        }))
        .pipe(DomainsAnswer),
      answer: DomainsAnswer,
    }),
    operationRoute({
      method: 'GET',
      path: '/api/v1/stats',
      summary: 'Returns global indicators: expressions, votes, sentiment, participants',
      query: statsQuery,
      places: filterPlaces,
      operation: `query RestStats${statsVariables} {
        answer: statistics(filter: $filter) {
          version
          expressions { total today last_7d: last7d by_lang: byLang { lang count } }
          ${votesSelection}
          sentiment { positive neutral negative score history { day expressions positive neutral negative score } }
          participants domains { total active } generated_at: generatedAt
        }
      }`,
      version: versionOf(`RestStatsVersion${statsVariables}`, 'statistics(filter: $filter)'),
      variables: ({ query }) => ({ filter: filterOf(query) }),
      from: z
        .object({ answer: statsData })
        .transform(({ answer }) => answer)
        .pipe(StatsAnswer),
      answer: StatsAnswer,
    }),
  ]
}
