import { Field, Int, ObjectType } from 'type-graphql'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { DistrictFigures } from '../districts/district-figures.ts'
import { scoreOf } from '../queries/map-view.ts'
import { LocalisedText, SentimentCounts, VoteCounts } from './exploration.type.ts'
import { GeoJson } from './geo-json.ts'
import { DomainCount } from './map.type.ts'

@ObjectType({ description: 'Statistics of a district: an area with an outline that the operator supplies.' })
export class District {
  @Field(() => String, { description: 'Code of the district in the outlines.' })
  code!: string
  @Field(() => [LocalisedText], { description: 'Name by language; `und` when the outlines name no language.' })
  labels!: LocalisedText[]
  @Field(() => Int, { description: 'Number of expressions located in the district.' })
  expressions!: number
  @Field(() => VoteCounts, { description: 'Votes on the expressions located in the district.' })
  votes!: VoteCounts
  @Field(() => SentimentCounts, { description: 'Sentiment of the expressions located in the district.' })
  sentiment!: SentimentCounts
  @Field(() => [DomainCount], { description: 'Number of expressions by domain; expressions without a domain are not counted.' })
  domains!: DomainCount[]
}

@ObjectType({ description: 'Statistics of each district.' })
export class DistrictView {
  @Field(() => String, { description: 'Version of the data; changes whenever the figures may have changed.' })
  version!: string
  @Field(() => DateTime, { description: 'Time at which this version of the data was current.' })
  generatedAt!: Date
  @Field(() => [District], {
    description:
      'The districts, in the operator’s order; empty when the operator supplies no outlines. An expression in overlapping outlines counts in each.',
  })
  districts!: District[]
  @Field(() => String, { description: 'The outlines, as text in application/geo+json.', ...deprecated('featureCollection') })
  outlines!: string
  @Field(() => GeoJson, { description: 'The outlines as a FeatureCollection; each feature has its `code` in `properties`.' })
  featureCollection!: unknown
}

export function typeOfDistrict({ district, expressions, votes, domains, ...sentiment }: DistrictFigures): District {
  return {
    code: district.code,
    labels: Object.entries(district.names).map(([lang, text]) => ({ lang, text })),
    expressions,
    votes,
    sentiment: { ...sentiment, score: scoreOf(sentiment) },
    domains: domains.map(([domainId, count]) => ({ domainId, count })),
  }
}
