import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'
import { Domain } from './domain.type.ts'
import {
  ClassificationMethod,
  ExpressionStatus,
  LocationPrecision,
  PersonalDataType,
  SentimentLabel,
  StepStatus,
  ToxicityFlag,
} from './expression.enum.ts'

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Language of an expression' })
export class ExpressionLanguage {
  @Field(() => String, { description: 'ISO 639-1, else 639-3; und when the evidence is weak' })
  code!: string
  @Field(() => Float, { description: '0 to 1' })
  confidence!: number
  @Field(() => Boolean, { description: 'false when the sender said it' })
  detected!: boolean
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Where an expression speaks from or of' })
export class ExpressionLocation {
  @Field(() => Float, { description: 'Degrees north, WGS 84' })
  lat!: number
  @Field(() => Float, { description: 'Degrees east' })
  lon!: number
  @Field(() => LocationPrecision, { description: 'How exactly the place is known' })
  precision!: `${LocationPrecision}`
  @Field(() => String, { nullable: true, description: 'Name of the place; null for coordinates as given' })
  place!: string | null
  @Field(() => String, { description: 'given, or who found it, such as gazetteer (GeoNames, CC BY 4.0)' })
  source!: string
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'A domain or sub-domain with how likely it is' })
export class DomainCandidate {
  @Field(() => Domain, { description: 'The domain or sub-domain' })
  domain!: Domain
  @Field(() => Float, { description: '0 to 1' })
  score!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'The domain or sub-domain that was decided' })
export class DecidedDomain extends DomainCandidate {
  @Field(() => String, { description: 'Its label, in the language of the expression where the taxonomy has it' })
  label!: string
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'What an expression is about' })
export class ExpressionClassification {
  @Field(() => DecidedDomain, { nullable: true, description: 'Null when nothing was likely enough' })
  domain!: DecidedDomain | null
  @Field(() => DecidedDomain, { nullable: true, description: 'Null when no sub-domain was likely enough' })
  subDomain!: DecidedDomain | null
  @Field(() => ClassificationMethod, { description: 'What decided' })
  method!: `${ClassificationMethod}`
  @Field(() => [DomainCandidate], { description: 'The likeliest domains, at most 5' })
  candidates!: DomainCandidate[]
  @Field(() => String, { description: 'The model and the version of the taxonomy that it has learnt' })
  model!: string
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Sentiment of an expression' })
export class ExpressionSentiment {
  @Field(() => SentimentLabel, { description: 'The sentiment' })
  label!: `${SentimentLabel}`
  @Field(() => Float, { description: '-1 to 1' })
  score!: number
  @Field(() => Float, { description: '0 to 1' })
  confidence!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Whether an expression means to hurt people' })
export class ExpressionToxicity {
  @Field(() => Float, { description: '0 to 1' })
  score!: number
  @Field(() => [ToxicityFlag], { description: 'What was found' })
  flags!: `${ToxicityFlag}`[]
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'What was taken out of a text' })
export class PersonalData {
  @Field(() => Boolean, { description: 'Whether anything was' })
  redacted!: boolean
  @Field(() => [PersonalDataType], { description: 'Of which kinds' })
  types!: `${PersonalDataType}`[]
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'The vector of a text; its numbers are not shown' })
export class ExpressionEmbedding {
  @Field(() => String, { description: 'The model that made it' })
  model!: string
  @Field(() => Int, { description: 'How many numbers it has' })
  dims!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'One step of the pipeline' })
export class PipelineStep {
  @Field(() => String, { description: 'Name of the step' })
  name!: string
  @Field(() => StepStatus, { description: 'How it went' })
  status!: `${StepStatus}`
  @Field(() => Float, { description: 'Milliseconds' })
  durationMs!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'How an expression was looked at' })
export class ExpressionPipeline {
  @Field(() => String, { description: 'Version of the steps' })
  version!: string
  @Field(() => [PipelineStep], { description: 'The steps in their order' })
  steps!: PipelineStep[]
}

@Directive('@key(fields: "id")')
@Directive('@cacheControl(maxAge: 10)')
@ObjectType({ description: 'What a citizen has said, without personal data' })
export class Expression {
  @Field(() => ID, { description: 'Id of the expression' })
  id!: string
  @Directive('@cacheControl(maxAge: 0)')
  @Field(() => ExpressionStatus, { description: 'Whether it can be found already' })
  status!: `${ExpressionStatus}`
  @Field(() => String, { description: 'The text; personal data is replaced by [email], [phone], [iban], [national_id], [payment_card]' })
  text!: string
  @Field(() => ExpressionLanguage, { nullable: true, description: 'Null when the step failed, as for the others' })
  lang!: ExpressionLanguage | null
  @Field(() => ExpressionLocation, { nullable: true, description: 'Null when it names no place that is known' })
  location!: ExpressionLocation | null
  @Field(() => ExpressionClassification, { nullable: true, description: 'What it is about' })
  classification!: ExpressionClassification | null
  @Field(() => ExpressionSentiment, { nullable: true, description: 'Null in languages without a lexicon' })
  sentiment!: ExpressionSentiment | null
  @Field(() => ExpressionToxicity, { nullable: true, description: 'Whether it means to hurt people' })
  toxicity!: ExpressionToxicity | null
  @Field(() => PersonalData, { description: 'What was taken out' })
  personalData!: PersonalData
  @Field(() => ExpressionEmbedding, { nullable: true, description: 'Its vector' })
  embedding!: ExpressionEmbedding | null
  @Field(() => ExpressionPipeline, { description: 'How it was looked at' })
  pipeline!: ExpressionPipeline
  @Field(() => DateTime, { description: 'When it was said' })
  createdAt!: Date
  @Directive('@cacheControl(maxAge: 0)')
  @Field(() => DateTime, { nullable: true, description: 'When it could be found; null while it is pending' })
  indexedAt!: Date | null
}

@ObjectType({ description: 'How a caller stands with a limit' })
export class RateLimit {
  @Field(() => String, { description: 'Which one, as in the RateLimit headers of REST' })
  name!: string
  @Field(() => Int, { description: 'So many in a window' })
  quota!: number
  @Field(() => Int, { description: 'How long a window is' })
  seconds!: number
  @Field(() => Int, { description: 'So many are left in this one' })
  remaining!: number
  @Field(() => Int, { description: 'Until the next window' })
  resetSeconds!: number
}

@ObjectType({ description: 'An expression that was taken in' })
export class IngestExpressionPayload {
  @Field(() => Expression, { description: 'The expression' })
  expression!: Expression
  @Field(() => Boolean, { description: 'false: it was here already' })
  created!: boolean
  @Field(() => RateLimit, { nullable: true, description: 'What this address may still say; null where there is no limit' })
  rateLimit!: RateLimit | null
}

@ObjectType({ description: 'A found expression in its list' })
export class ExpressionEdge {
  @Field(() => Expression, { description: 'The expression' })
  node!: Expression
  @Field(() => String, { description: 'Give it as `after` for what follows' })
  cursor!: string
  @Field(() => Float, { description: 'The higher the better; comparable within one answer' })
  score!: number
}

@ObjectType({ description: 'A page of found expressions, the best first' })
export class ExpressionConnection {
  @Field(() => [ExpressionEdge], { description: 'The expressions with their scores' })
  edges!: ExpressionEdge[]
  @Field(() => [Expression], { description: 'The expressions' })
  nodes!: Expression[]
  @Field(() => PageInfo, { description: 'Where the page stands' })
  pageInfo!: PageInfo
}

@ObjectType({ description: 'An expression in a list by time' })
export class RecentExpressionEdge {
  @Field(() => Expression, { description: 'The expression' })
  node!: Expression
  @Field(() => String, { description: 'Give it as `after` for what follows' })
  cursor!: string
}

@ObjectType({ description: 'A page of expressions by when they were said, the newest first' })
export class RecentExpressionConnection implements Counted {
  @Field(() => [RecentExpressionEdge], { description: 'The expressions with their places' })
  edges!: RecentExpressionEdge[]
  @Field(() => [Expression], { description: 'The expressions' })
  nodes!: Expression[]
  @Field(() => PageInfo, { description: 'Where the page stands' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'What a synchronisation of the taxonomy did' })
export class SynchroniseTaxonomiesPayload {
  @Field(() => String, { description: 'Version of the taxonomy' })
  version!: string
  @Field(() => Int, { description: 'Domains and sub-domains that the index did not have' })
  added!: number
  @Field(() => Int, { description: 'Those that had changed' })
  updated!: number
  @Field(() => Int, { description: 'Those that are no longer in the taxonomy' })
  removed!: number
  @Field(() => Int, { description: 'The others' })
  unchanged!: number
  @Field(() => Int, { description: 'Phrases whose vectors were made anew' })
  reEmbedded!: number
  @Field(() => Float, { description: 'Milliseconds' })
  durationMs!: number
}
