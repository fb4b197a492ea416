import { Field, Float, ID, InputType } from 'type-graphql'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { DateScalar } from '../../../foundation/graphql/scalars.ts'
import { SentimentLabel, VoteValue } from './exploration.type.ts'

@InputType({ description: 'A bounding box in degrees; when `west` is greater than `east`, it crosses the antimeridian.' })
export class BoxInput {
  @Field(() => Float, { description: 'Western edge.' })
  west!: number
  @Field(() => Float, { description: 'Southern edge.' })
  south!: number
  @Field(() => Float, { description: 'Eastern edge.' })
  east!: number
  @Field(() => Float, { description: 'Northern edge.' })
  north!: number
}

/** Declared by each filter, because type-graphql does not inherit a deprecation. */
const formerDomain = (): PropertyDecorator =>
  Field(() => ID, { nullable: true, description: 'Former name of `domainId`.', ...deprecated('domainId') }) as PropertyDecorator

/** Description of the argument `q`. */
export const searchedText =
  'Words, and phrases in quotation marks, that the text contains, in any language: at most 500 characters and 32 words, at least one of them not a stop word.'

/** Fields that all filters share: a domain, days and words. */
@InputType()
abstract class DomainAndDays {
  @Field(() => ID, { nullable: true, description: 'Id of a domain, including its sub-domains, or of a sub-domain.' })
  domainId?: string | null
  @Field(() => DateScalar, { nullable: true, description: 'First day, in the time zone of the platform.' })
  from?: string | null
  @Field(() => DateScalar, { nullable: true, description: 'Last day, included, in the time zone of the platform.' })
  to?: string | null
  @Field(() => String, { nullable: true, description: searchedText })
  q?: string | null
}

@InputType({
  description: 'Conditions that are combined with AND; an omitted condition does not restrict the expressions that are counted.',
})
export class StatisticsFilterInput extends DomainAndDays {
  @formerDomain()
  domain?: string | null
  @Field(() => BoxInput, { nullable: true, description: 'Area, including its edges.' })
  box?: BoxInput | null
}

@InputType()
abstract class SentimentAndLanguage extends DomainAndDays {
  @Field(() => SentimentLabel, { nullable: true, description: 'Sentiment.' })
  sentiment?: `${SentimentLabel}` | null
  @Field(() => String, { nullable: true, description: 'Language: ISO 639-1, otherwise 639-3.' })
  lang?: string | null
}

@InputType({
  description: 'Conditions that are combined with AND; an omitted condition does not restrict the expressions that are counted.',
})
export class DistrictFilterInput extends SentimentAndLanguage {
  @formerDomain()
  domain?: string | null
}

@InputType({ description: 'Conditions that are combined with AND; an omitted condition does not restrict the expressions on the map.' })
export class MapFilterInput extends SentimentAndLanguage {
  @formerDomain()
  domain?: string | null
  @Field(() => BoxInput, { nullable: true, description: 'Area, including its edges.' })
  box?: BoxInput | null
}
@InputType({ description: 'A vote on an expression.' })
export class CastVoteInput {
  @Field(() => ID, { description: 'Id of the expression.' })
  expressionId!: string
  @Field(() => VoteValue, { description: 'The vote; it replaces an earlier vote of the same voter.' })
  value!: `${VoteValue}`
  @Field(() => String, {
    nullable: true,
    description: 'Identifier of the voter at the calling service (services only); only its HMAC is stored.',
  })
  voterRef?: string | null
}

@InputType({ description: 'An unverified vote, cast in a browser without a signed-in user.' })
export class CastPublicVoteInput {
  @Field(() => ID, { description: 'Id of the expression.' })
  expressionId!: string
  @Field(() => VoteValue, { description: 'The vote; with a token, it replaces the earlier vote.' })
  value!: `${VoteValue}`
  @Field(() => String, {
    nullable: true,
    description:
      'The `voterToken` that an earlier vote on this expression returned; without it, the vote counts as that of a new voter. The number of new voters per network and day is limited.',
  })
  voterToken?: string | null
  @Field(() => String, { nullable: true, description: 'Former name of `voterToken`.', ...deprecated('voterToken') })
  pass?: string | null
}
