import { Directive, Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { DateScalar } from '../../../foundation/graphql/date.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'

export enum SentimentLabel {
  POSITIVE = 'positive',
  NEUTRAL = 'neutral',
  NEGATIVE = 'negative',
}
registerEnumType(SentimentLabel, { name: 'SentimentLabel', description: 'Sentiment of an expression' })

export enum VoteValue {
  AGREE = 'agree',
  DISAGREE = 'disagree',
  PASS = 'pass',
}
registerEnumType(VoteValue, { name: 'VoteValue', description: 'What somebody thinks of an expression; PASS: they have seen it' })

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({
  description: 'Votes without an identity: of browsers with a pass, and those cast before votes had a class. They count in no other figure',
})
export class UnverifiedVoteCounts {
  @Field(() => Int, { description: 'All of them' })
  total!: number
  @Field(() => Int, { description: 'Those that agree' })
  agree!: number
  @Field(() => Int, { description: 'Those that disagree' })
  disagree!: number
  @Field(() => Int, { description: 'Those that pass' })
  pass!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Verified votes: of users, and of voters that a service names; unverified ones stand beside them' })
export class VoteCounts {
  @Field(() => Int, { description: 'All of them' })
  total!: number
  @Field(() => Int, { description: 'Those that agree' })
  agree!: number
  @Field(() => Int, { description: 'Those that disagree' })
  disagree!: number
  @Field(() => Int, { description: 'Those that pass' })
  pass!: number
  @Field(() => UnverifiedVoteCounts, { description: 'Unverified votes, which none of the others counts' })
  unverified!: UnverifiedVoteCounts
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'How many expressions have which sentiment; those without one are in none' })
export class SentimentCounts {
  @Field(() => Int, { description: 'Positive ones' })
  positive!: number
  @Field(() => Int, { description: 'Neutral ones' })
  neutral!: number
  @Field(() => Int, { description: 'Negative ones' })
  negative!: number
  @Field(() => Float, { nullable: true, description: '-1 to 1: (positive - negative) / those that have a sentiment; null when none has' })
  score!: number | null
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'A text in a language' })
export class LocalisedText {
  @Field(() => String, { description: 'ISO 639-1' })
  lang!: string
  @Field(() => String, { description: 'The text' })
  text!: string
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Statistics of a domain, its sub-domains included' })
export class DomainStatistics {
  @Field(() => Int, { description: 'Expressions' })
  expressions!: number
  @Field(() => Int, { description: 'Verified votes on them' })
  votes!: number
  @Field(() => UnverifiedVoteCounts, { description: 'Unverified votes on them, which `votes` does not count' })
  unverifiedVotes!: UnverifiedVoteCounts
  @Field(() => Int, { description: 'Authors and verified voters, each counted once; an author who is not known is not counted' })
  participants!: number
  @Field(() => Float, { description: '0 to 1: of all expressions that have a domain' })
  share!: number
  @Field(() => SentimentCounts, { description: 'Their sentiment' })
  sentiment!: SentimentCounts
  @Field(() => Int, { description: 'Expressions of the last seven days, today included' })
  last7d!: number
  @Field(() => Float, { description: '(the last seven days - the seven before) / the seven before, or 1' })
  trend!: number
}

@Directive('@key(fields: "id")')
@Directive('@cacheControl(maxAge: 30)')
@ObjectType({ description: 'A domain or sub-domain of civic life' })
export class Domain {
  @Field(() => ID, { description: 'Id of the domain' })
  id!: string
  @Field(() => String, { description: 'Its name in addresses' })
  slug!: string
  @Field(() => [LocalisedText], { description: 'Its name by language' })
  labels!: LocalisedText[]
  @Field(() => Int, { description: '0 for a domain, 1 for a sub-domain' })
  depth!: number
  @Field(() => Int, { description: 'Sub-domains' })
  childrenCount!: number
  @Field(() => Domain, { nullable: true, description: 'The domain that it is part of' })
  parent!: Domain | null
  @Field(() => [Domain], { description: 'Its sub-domains, in order' })
  subDomains!: Domain[]
}

@ObjectType({ description: 'The taxonomy of domains' })
export class DomainTaxonomy {
  @Field(() => String, { description: 'Changes whenever an answer may' })
  version!: string
  @Field(() => DateTime, { description: 'The moment of that version' })
  generatedAt!: Date
  @Field(() => [Domain], { description: 'The domains, in order' })
  domains!: Domain[]
}

@ObjectType({ description: 'Expressions in a language' })
export class LanguageCount {
  @Field(() => String, { description: 'ISO 639-1, else 639-3; und: not known' })
  lang!: string
  @Field(() => Int, { description: 'Expressions' })
  count!: number
}

@ObjectType({ description: 'How many expressions there are' })
export class ExpressionCounts {
  @Field(() => Int, { description: 'All that match' })
  total!: number
  @Field(() => Int, { description: 'Those of today' })
  today!: number
  @Field(() => Int, { description: 'Those of the last seven days, today included' })
  last7d!: number
  @Field(() => [LanguageCount], { description: 'By language, the most first' })
  byLang!: LanguageCount[]
}

@ObjectType({ description: 'Sentiment of the expressions of a day' })
export class SentimentDay extends SentimentCounts {
  @Field(() => DateScalar, { description: 'In the time zone of the platform' })
  day!: string
  @Field(() => Int, { description: 'Expressions, those without a sentiment included' })
  expressions!: number
}

@ObjectType({ description: 'Sentiment of expressions' })
export class SentimentStatistics extends SentimentCounts {
  @Field(() => [SentimentDay], { description: 'Days that have expressions: of the last two years, with an area of the last 92 days' })
  history!: SentimentDay[]
}

@ObjectType({ description: 'Domains' })
export class DomainCounts {
  @Field(() => Int, { description: 'Domains of the taxonomy' })
  total!: number
  @Field(() => Int, { description: 'Those that expressions match of' })
  active!: number
}

@ObjectType({ description: 'Global indicators' })
export class Statistics {
  @Field(() => String, { description: 'Changes whenever an answer may' })
  version!: string
  @Field(() => DateTime, { description: 'The moment of that version' })
  generatedAt!: Date
  @Field(() => ExpressionCounts, { description: 'Expressions' })
  expressions!: ExpressionCounts
  @Field(() => VoteCounts, { description: 'Votes on these expressions, whenever they were cast' })
  votes!: VoteCounts
  @Field(() => SentimentStatistics, { description: 'Sentiment' })
  sentiment!: SentimentStatistics
  @Field(() => Int, { nullable: true, description: 'Authors and verified voters; null where days or an area are chosen' })
  participants!: number | null
  @Field(() => DomainCounts, { description: 'Domains' })
  domains!: DomainCounts
}

@Directive('@key(fields: "id")')
@Directive('@cacheControl(maxAge: 10)')
@ObjectType('Expression', { description: 'What a citizen has said, without personal data' })
export class VotedExpression {
  @Field(() => ID, { description: 'Id of the expression' })
  id!: string
}

@ObjectType({ description: 'A vote that was cast' })
export class CastVotePayload {
  @Field(() => VotedExpression, { description: 'The expression' })
  expression!: VotedExpression
  @Field(() => VoteValue, { description: 'The vote of this voter, instead of any before' })
  value!: `${VoteValue}`
}

@ObjectType({ description: 'An unverified vote that was cast without signing in' })
export class CastPublicVotePayload extends CastVotePayload {
  @Field(() => String, { description: 'Changes this vote: valid for this expression, from the same network, until `passExpiresAt`' })
  pass!: string
  @Field(() => DateTime, { description: 'From then on the vote can no longer be changed' })
  passExpiresAt!: Date
}
