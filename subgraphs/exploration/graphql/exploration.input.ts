import { Field, Float, ID, InputType } from 'type-graphql'
import { DateScalar } from '../../../foundation/graphql/date.ts'
import { SentimentLabel, VoteValue } from './exploration.type.ts'

@InputType({ description: 'Edges of an area in degrees; west may be greater than east: then it crosses the antimeridian' })
export class BoxInput {
  @Field(() => Float, { description: 'Western edge' })
  west!: number
  @Field(() => Float, { description: 'Southern edge' })
  south!: number
  @Field(() => Float, { description: 'Eastern edge' })
  east!: number
  @Field(() => Float, { description: 'Northern edge' })
  north!: number
}

/** What all filters take: a domain, and days. */
@InputType()
abstract class DomainAndDays {
  @Field(() => ID, { nullable: true, description: 'Id of a domain, its sub-domains included, or of a sub-domain' })
  domain?: string | null
  @Field(() => DateScalar, { nullable: true, description: 'First day, in the time zone of the platform' })
  from?: string | null
  @Field(() => DateScalar, { nullable: true, description: 'Last day' })
  to?: string | null
}

@InputType({ description: 'Which expressions are counted: conditions that all hold; an absent one is none' })
export class StatisticsFilterInput extends DomainAndDays {
  @Field(() => BoxInput, { nullable: true, description: 'Area, edges included' })
  box?: BoxInput | null
}

@InputType({ description: 'Which expressions the figures of districts are of: conditions that all hold; an absent one is none' })
export class DistrictFilterInput extends DomainAndDays {
  @Field(() => SentimentLabel, { nullable: true, description: 'Sentiment' })
  sentiment?: `${SentimentLabel}` | null
  @Field(() => String, { nullable: true, description: 'Language: ISO 639-1, else 639-3' })
  lang?: string | null
}

@InputType({ description: 'Which expressions are shown: conditions that all hold; an absent one is none' })
export class MapFilterInput extends DistrictFilterInput {
  @Field(() => BoxInput, { nullable: true, description: 'Area, edges included' })
  box?: BoxInput | null
}

@InputType({ description: 'A vote on an expression' })
export class CastVoteInput {
  @Field(() => ID, { description: 'The expression' })
  expressionId!: string
  @Field(() => VoteValue, { description: 'The vote; a later one replaces it' })
  value!: `${VoteValue}`
  @Field(() => String, {
    nullable: true,
    description: 'Who votes, as the calling service knows them (services only); only an HMAC is kept',
  })
  voterRef?: string | null
}

@InputType({ description: 'An unverified vote: of a browser without a signed-in user' })
export class CastPublicVoteInput {
  @Field(() => ID, { description: 'The expression' })
  expressionId!: string
  @Field(() => VoteValue, { description: 'The vote; a later one with its pass replaces it' })
  value!: `${VoteValue}`
  @Field(() => String, {
    nullable: true,
    description:
      'The pass that an earlier vote on this expression returned; without it a new voter votes, of which a network may create few a day',
  })
  pass?: string | null
}
