import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateScalar, DateTime } from '../../../foundation/graphql/scalars.ts'

export enum SentimentLabel {
  POSITIVE = 'positive',
  NEUTRAL = 'neutral',
  NEGATIVE = 'negative',
}
registerEnum(SentimentLabel, {
  name: 'SentimentLabel',
  description: 'Sentiment of an expression.',
  values: {
    POSITIVE: 'Positive sentiment.',
    NEUTRAL: 'Neutral sentiment.',
    NEGATIVE: 'Negative sentiment.',
  },
})

export enum VoteValue {
  AGREE = 'agree',
  DISAGREE = 'disagree',
  PASS = 'pass',
}
registerEnum(VoteValue, {
  name: 'VoteValue',
  description: 'A vote on an expression.',
  values: {
    AGREE: 'Agrees with the expression.',
    DISAGREE: 'Disagrees with the expression.',
    PASS: 'Takes no position on the expression.',
  },
})

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({
  description:
    'Votes without a verified identity: cast in a browser without signing in, or before votes were classified. They count in no other figure.',
})
export class UnverifiedVoteCounts {
  @Field(() => Int, { description: 'Number of unverified votes.' })
  total!: number
  @Field(() => Int, { description: 'Number of votes that agree.' })
  agree!: number
  @Field(() => Int, { description: 'Number of votes that disagree.' })
  disagree!: number
  @Field(() => Int, { description: 'Number of abstentions.' })
  pass!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({
  description: 'Verified votes: of signed-in users, and of voters that a service identifies. `unverified` counts the unverified ones.',
})
export class VoteCounts {
  @Field(() => Int, { description: 'Number of verified votes.' })
  total!: number
  @Field(() => Int, { description: 'Number of votes that agree.' })
  agree!: number
  @Field(() => Int, { description: 'Number of votes that disagree.' })
  disagree!: number
  @Field(() => Int, { description: 'Number of abstentions.' })
  pass!: number
  @Field(() => UnverifiedVoteCounts, { description: 'Unverified votes, which the other fields do not count.' })
  unverified!: UnverifiedVoteCounts
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Number of expressions by sentiment; expressions without a sentiment are not counted.' })
export class SentimentCounts {
  @Field(() => Int, { description: 'Number of positive expressions.' })
  positive!: number
  @Field(() => Int, { description: 'Number of neutral expressions.' })
  neutral!: number
  @Field(() => Int, { description: 'Number of negative expressions.' })
  negative!: number
  @Field(() => Float, {
    nullable: true,
    description: '(positive - negative) / (positive + neutral + negative), from -1 to 1; null when no expression has a sentiment.',
  })
  score!: number | null
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'A text in a language.' })
export class LocalisedText {
  @Field(() => String, { description: 'Language code (ISO 639-1).' })
  lang!: string
  @Field(() => String, { description: 'The text.' })
  text!: string
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Statistics of a domain, including its sub-domains.' })
export class DomainStatistics {
  @Field(() => Int, { description: 'Number of expressions.' })
  expressions!: number
  @Field(() => Int, { description: 'Number of verified votes on the expressions of the domain.' })
  votes!: number
  @Field(() => UnverifiedVoteCounts, { description: 'Unverified votes on the expressions of the domain, which `votes` does not count.' })
  unverifiedVotes!: UnverifiedVoteCounts
  @Field(() => Int, { description: 'Number of distinct authors and verified voters; unknown authors are not counted.' })
  participants!: number
  @Field(() => Float, { description: 'Share of all expressions that have a domain, 0 to 1.' })
  share!: number
  @Field(() => SentimentCounts, { description: 'Sentiment of the expressions of the domain.' })
  sentiment!: SentimentCounts
  @Field(() => Int, { description: 'Number of expressions in the last seven days, including today.' })
  last7d!: number
  @Field(() => Float, { description: '(last seven days - preceding seven days) / (preceding seven days, or 1 when that number is 0).' })
  trend!: number
}

@Directive('@key(fields: "id")')
@Directive('@cacheControl(maxAge: 30)')
@ObjectType({ description: 'A domain or sub-domain of civic life.' })
export class Domain {
  @Field(() => ID, { description: 'Id of the domain.' })
  id!: string
  @Field(() => String, { description: 'Name of the domain in a form for URLs.' })
  slug!: string
  @Field(() => [LocalisedText], { description: 'Name of the domain by language.' })
  labels!: LocalisedText[]
  @Field(() => Int, { description: '0 for a domain, 1 for a sub-domain.' })
  depth!: number
  @Field(() => Int, { description: 'Number of sub-domains.' })
  childrenCount!: number
  @Field(() => Domain, { nullable: true, description: 'The domain of a sub-domain; null for a domain.' })
  parent!: Domain | null
  @Field(() => [Domain], { description: 'Sub-domains in their order; empty for a sub-domain.' })
  subDomains!: Domain[]
}

@ObjectType({ description: 'The taxonomy of domains.' })
export class DomainTaxonomy {
  @Field(() => String, { description: 'Version of the data; changes whenever the figures may have changed.' })
  version!: string
  @Field(() => Int, {
    description: 'Number of the published version of the taxonomy that the figures use; 0 before the first publication.',
  })
  taxonomyVersion!: number
  @Field(() => DateTime, { description: 'Time at which this version of the data was current.' })
  generatedAt!: Date
  @Field(() => [Domain], { description: 'The domains in their order.' })
  domains!: Domain[]
}

@ObjectType({ description: 'Number of expressions in a language.' })
export class LanguageCount {
  @Field(() => String, { description: 'Language: ISO 639-1, otherwise 639-3; `und` when unknown.' })
  lang!: string
  @Field(() => Int, { description: 'Number of expressions.' })
  count!: number
}

@ObjectType({ description: 'Number of expressions that match a filter, in total and by date and language.' })
export class ExpressionCounts {
  @Field(() => Int, { description: 'Number of expressions that match the filter.' })
  total!: number
  @Field(() => Int, { description: 'Number of matching expressions from today.' })
  today!: number
  @Field(() => Int, { description: 'Number of matching expressions from the last seven days, including today.' })
  last7d!: number
  @Field(() => [LanguageCount], { description: 'Number of expressions by language, most frequent first.' })
  byLang!: LanguageCount[]
}

@ObjectType({ description: 'Sentiment of the expressions of one day.' })
export class SentimentDay extends SentimentCounts {
  @Field(() => DateScalar, { description: 'The date, in the time zone of the platform.' })
  day!: string
  @Field(() => Int, { description: 'Number of expressions, including those without a sentiment.' })
  expressions!: number
}

@ObjectType({ description: 'Sentiment of expressions.' })
export class SentimentStatistics extends SentimentCounts {
  @Field(() => [SentimentDay], {
    description: 'Days that have expressions: in the last two years, or in the last 92 days when the filter has an area.',
  })
  history!: SentimentDay[]
}

@ObjectType({ description: 'Number of domains.' })
export class DomainCounts {
  @Field(() => Int, { description: 'Number of domains in the taxonomy.' })
  total!: number
  @Field(() => Int, { description: 'Number of domains that have matching expressions.' })
  active!: number
}

@ObjectType({ description: 'Figures of the expressions that match a filter.' })
export class Statistics {
  @Field(() => String, { description: 'Version of the data; changes whenever the figures may have changed.' })
  version!: string
  @Field(() => DateTime, { description: 'Time at which this version of the data was current.' })
  generatedAt!: Date
  @Field(() => ExpressionCounts, { description: 'Number of expressions.' })
  expressions!: ExpressionCounts
  @Field(() => VoteCounts, { description: 'Votes on the matching expressions, regardless of when they were cast.' })
  votes!: VoteCounts
  @Field(() => SentimentStatistics, { description: 'Sentiment of the matching expressions.' })
  sentiment!: SentimentStatistics
  @Field(() => Int, {
    nullable: true,
    description: 'Number of distinct authors and verified voters; null when the filter has days or an area.',
  })
  participants!: number | null
  @Field(() => DomainCounts, { description: 'Number of domains.' })
  domains!: DomainCounts
}

@Directive('@key(fields: "id")')
@Directive('@cacheControl(maxAge: 10)')
@ObjectType('Expression', { description: 'An expression of a citizen, without personal data.' })
export class VotedExpression {
  @Field(() => ID, { description: 'Id of the expression.' })
  id!: string
}

@ObjectType({ description: 'Result of `castVote`.' })
export class CastVotePayload {
  @Field(() => VotedExpression, { description: 'The expression.' })
  expression!: VotedExpression
  @Field(() => VoteValue, { description: 'The current vote of this voter.' })
  value!: `${VoteValue}`
}

@ObjectType({ description: 'Result of `castPublicVote`.' })
export class CastPublicVotePayload extends CastVotePayload {
  @Field(() => String, {
    description: 'Authorises a change of this vote: valid for this expression and from the same network until `voterTokenExpiresAt`.',
  })
  voterToken!: string
  @Field(() => DateTime, { description: 'Time after which the vote cannot be changed.' })
  voterTokenExpiresAt!: Date
  @Field(() => String, { description: 'Former name of `voterToken`.', ...deprecated('voterToken') })
  pass!: string
  @Field(() => DateTime, { description: 'Former name of `voterTokenExpiresAt`.', ...deprecated('voterTokenExpiresAt') })
  passExpiresAt!: Date
}

/** Description of the argument `lang` of labels. */
export const labelLanguage = 'Language code (BCP 47), such as fr or ar-DZ.'

/** Languages of a label that has none in the requested language, in order; then its first one. */
const fallbacks = ['en', 'und', 'fr'] as const

/** Returns a label in a language, else in its primary language, else in English, else without a language, else in French, else the first one. */
export function labelIn(labels: readonly LocalisedText[], lang: string): string {
  const wanted = lang.toLowerCase()
  const [primary = ''] = wanted.split('-')
  for (const each of [wanted, primary, ...fallbacks]) {
    const label = labels.find((one) => one.lang.toLowerCase() === each)
    if (label !== undefined) return label.text
  }
  return labels[0]?.text ?? ''
}
