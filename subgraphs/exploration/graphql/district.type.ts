import { Field, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { DistrictFigures } from '../districts/district-figures.ts'
import { scoreOf } from '../queries/map-view.ts'
import { LocalisedText, SentimentCounts, VoteCounts } from './exploration.type.ts'
import { DomainCount } from './map.type.ts'

@ObjectType({ description: 'What is said in a district: an area that the operator has given an outline of' })
export class District {
  @Field(() => String, { description: 'Its code, as the outlines have it' })
  code!: string
  @Field(() => [LocalisedText], { description: 'Its name by language; und: of no language' })
  labels!: LocalisedText[]
  @Field(() => Int, { description: 'Expressions whose position is in it' })
  expressions!: number
  @Field(() => VoteCounts, { description: 'Votes on them' })
  votes!: VoteCounts
  @Field(() => SentimentCounts, { description: 'Their sentiment' })
  sentiment!: SentimentCounts
  @Field(() => [DomainCount], { description: 'By domain; those without one are in none' })
  domains!: DomainCount[]
}

@ObjectType({ description: 'What is said in each district' })
export class DistrictView {
  @Field(() => String, { description: 'Changes whenever an answer may' })
  version!: string
  @Field(() => DateTime, { description: 'The moment of that version' })
  generatedAt!: Date
  @Field(() => [District], {
    description: 'In the order of the operator; none where no outlines were given. Where outlines overlap, both count',
  })
  districts!: District[]
  @Field(() => String, { description: 'The outlines as text of application/geo+json, each with its `code`: for those who draw maps' })
  outlines!: string
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
