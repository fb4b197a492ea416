import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { PublicExpression } from '../../../engines/analytics-store/analytics-store.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'
import {
  ClassificationMethod,
  ExpressionStatus,
  LocationPrecision,
  Moderation,
  PersonalDataType,
  SentimentLabel,
  StepStatus,
  ToxicityFlag,
} from './expression.enum.ts'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A domain or sub-domain of civic life.' })
export class Domain {
  @Field(() => ID, { description: 'Id of the domain.' })
  id!: string
}

/** Results of one step of the pipeline. */
type Block<Member extends keyof ExpressionDocument> = NonNullable<ExpressionDocument[Member]>

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Language of an expression.' })
export class ExpressionLanguage implements Block<'lang'> {
  @Field(() => String, { description: 'ISO 639-1 code, otherwise 639-3; `und` when the language could not be determined.' })
  code!: string
  @Field(() => Float, { description: 'Confidence, 0 to 1.' })
  confidence!: number
  @Field(() => Boolean, { description: 'Whether the language was detected; false when the sender supplied it.' })
  detected!: boolean
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Location of an expression.' })
export class ExpressionLocation implements Block<'location'> {
  @Field(() => Float, { description: 'Latitude in degrees north (WGS 84).' })
  lat!: number
  @Field(() => Float, { description: 'Longitude in degrees east (WGS 84).' })
  lon!: number
  @Field(() => LocationPrecision, { description: 'Precision of the location.' })
  precision!: `${LocationPrecision}`
  @Field(() => String, { nullable: true, description: 'Name of the place; null for coordinates that the sender supplied.' })
  place!: string | null
  @Field(() => String, { description: '`given`, or the source that resolved the location, such as gazetteer (GeoNames, CC BY 4.0).' })
  source!: string
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'A domain or sub-domain with its score.' })
export class DomainCandidate {
  @Field(() => Domain, { description: 'The domain or sub-domain.' })
  domain!: Domain
  @Field(() => Float, { description: 'Score, 0 to 1.' })
  score!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'The domain or sub-domain of an expression.' })
export class DecidedDomain extends DomainCandidate {
  @Field(() => String, { description: 'Label in the language of the expression, otherwise in French, in English or in any language.' })
  label!: string
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Classification of an expression.' })
export class ExpressionClassification {
  @Field(() => DecidedDomain, { nullable: true, description: 'The domain; null when no domain scored high enough.' })
  domain!: DecidedDomain | null
  @Field(() => DecidedDomain, { nullable: true, description: 'The sub-domain; null when no sub-domain scored high enough.' })
  subDomain!: DecidedDomain | null
  @Field(() => ClassificationMethod, { description: 'Method that decided the domain.' })
  method!: `${ClassificationMethod}`
  @Field(() => [DomainCandidate], { description: 'The domains with the highest scores, at most 5.' })
  candidates!: DomainCandidate[]
  @Field(() => String, { description: 'Name of the model and version of the taxonomy that it was trained on.' })
  model!: string
  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the published version of the taxonomy that the expression was classified with; null when a release before 2.0 classified it.',
  })
  taxonomyVersion!: number | null
  @Field(() => Boolean, { description: 'Whether a person has corrected the domain; the pipeline then no longer changes it.' })
  isCorrected!: boolean
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Sentiment of an expression.' })
export class ExpressionSentiment implements Block<'sentiment'> {
  @Field(() => SentimentLabel, { description: 'The sentiment.' })
  label!: `${SentimentLabel}`
  @Field(() => Float, { description: 'Score from -1 (negative) to 1 (positive).' })
  score!: number
  @Field(() => Float, { description: 'Confidence, 0 to 1.' })
  confidence!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Toxicity of an expression.' })
export class ExpressionToxicity implements Block<'toxicity'> {
  @Field(() => Float, { description: 'Score, 0 to 1.' })
  score!: number
  @Field(() => [ToxicityFlag], { description: 'Kinds of harmful language that were found.' })
  flags!: `${ToxicityFlag}`[]
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Personal data that was removed from a text.' })
export class PersonalData implements Block<'personalData'> {
  @Field(() => Boolean, { description: 'Whether personal data was removed.' })
  redacted!: boolean
  @Field(() => [PersonalDataType], { description: 'Kinds of personal data that were removed.' })
  types!: `${PersonalDataType}`[]
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'Embedding of a text; its values are not returned.' })
export class ExpressionEmbedding implements Block<'embedding'> {
  @Field(() => String, { description: 'Model that computed the embedding.' })
  model!: string
  @Field(() => Int, { description: 'Number of dimensions.' })
  dims!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'A step of the analysis pipeline.' })
export class PipelineStep {
  @Field(() => String, { description: 'Name of the step.' })
  name!: string
  @Field(() => StepStatus, { description: 'Status of the step.' })
  status!: `${StepStatus}`
  @Field(() => Float, { description: 'Duration in milliseconds.' })
  durationMs!: number
}

@Directive('@cacheControl(inheritMaxAge: true)')
@ObjectType({ description: 'The pipeline run that analysed an expression.' })
export class ExpressionPipeline implements Block<'pipeline'> {
  @Field(() => String, { description: 'Version of the pipeline.' })
  version!: string
  @Field(() => [PipelineStep], { description: 'The steps in order of execution.' })
  steps!: PipelineStep[]
}

@Directive('@key(fields: "id")')
@Directive('@cacheControl(maxAge: 10)')
@ObjectType({ description: 'An expression of a citizen, without personal data.' })
export class Expression {
  @Field(() => ID, { description: 'Id of the expression.' })
  id!: string
  @Directive('@cacheControl(maxAge: 0)')
  @Field(() => ExpressionStatus, { description: 'Indexing status.' })
  status!: `${ExpressionStatus}`
  @Field(() => String, { description: 'The text, with personal data replaced by [email], [phone], [iban], [national_id], [payment_card].' })
  text!: string
  @Field(() => ExpressionLanguage, { nullable: true, description: 'Language; null when the step failed.' })
  lang!: ExpressionLanguage | null
  @Field(() => ExpressionLocation, {
    nullable: true,
    description: 'Location; null when the expression names no known place, or the step failed.',
  })
  location!: ExpressionLocation | null
  @Field(() => ExpressionClassification, { nullable: true, description: 'Classification; null when the step failed.' })
  classification!: ExpressionClassification | null
  @Field(() => ExpressionSentiment, {
    nullable: true,
    description: 'Sentiment; null in languages without a lexicon, or when the step failed.',
  })
  sentiment!: ExpressionSentiment | null
  @Field(() => ExpressionToxicity, { nullable: true, description: 'Toxicity; null when the step failed.' })
  toxicity!: ExpressionToxicity | null
  @Field(() => PersonalData, { description: 'Personal data that was removed from the text.' })
  personalData!: PersonalData
  @Field(() => ExpressionEmbedding, { nullable: true, description: 'Embedding; null when the step failed.' })
  embedding!: ExpressionEmbedding | null
  @Field(() => ExpressionPipeline, { description: 'The pipeline run that analysed the expression.' })
  pipeline!: ExpressionPipeline
  @Field(() => DateTime, { description: 'Time of the statement.' })
  createdAt!: Date
  @Directive('@cacheControl(maxAge: 0)')
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which the expression became searchable; null while the status is PENDING.',
  })
  indexedAt!: Date | null
}

@ObjectType({ description: 'State of a rate limit for the caller.' })
export class RateLimit {
  @Field(() => String, { description: 'Name of the limit, as in the RateLimit headers of the REST interface.' })
  name!: string
  @Field(() => Int, { description: 'Requests allowed per window.' })
  quota!: number
  @Field(() => Int, { description: 'Length of a window in seconds.' })
  seconds!: number
  @Field(() => Int, { description: 'Requests remaining in the current window.' })
  remaining!: number
  @Field(() => Int, { description: 'Seconds until the next window.' })
  resetSeconds!: number
}

@ObjectType({ description: 'Result of `ingestExpression`.' })
export class IngestExpressionPayload {
  @Field(() => Expression, { description: 'The expression.' })
  expression!: Expression
  @Field(() => Boolean, { description: 'Whether the expression is new; false when it was already stored.' })
  created!: boolean
  @Field(() => Moderation, { nullable: true, description: 'HELD when the expression is not public until it is released; null otherwise.' })
  moderation!: `${Moderation}` | null
  @Field(() => RateLimit, { nullable: true, description: 'Rate limit of the client address; null when no limit applies.' })
  rateLimit!: RateLimit | null
}

@ObjectType({ description: 'An edge of `ExpressionConnection`: a matching expression, its cursor and its score.' })
export class ExpressionEdge {
  @Field(() => Expression, { description: 'The expression.' })
  node!: Expression
  @Field(() => String, { description: 'Cursor of the expression.' })
  cursor!: string
  @Field(() => Float, { description: 'Score of the match; higher is better, comparable within one response only.' })
  score!: number
}

@ObjectType({ description: 'A page of matching expressions, best match first.' })
export class ExpressionConnection {
  @Field(() => [ExpressionEdge], { description: 'The expressions of the page with their cursors and scores.' })
  edges!: ExpressionEdge[]
  @Field(() => [Expression], { description: 'The expressions of the page.' })
  nodes!: Expression[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
}

@ObjectType({ description: 'An edge of `ExpressionListConnection`: an expression and its cursor.' })
export class ExpressionListEdge {
  @Field(() => Expression, { description: 'The expression.' })
  node!: Expression
  @Field(() => String, { description: 'Cursor of the expression.' })
  cursor!: string
}

@ObjectType({ description: 'A page of expressions, newest first.' })
export class ExpressionListConnection implements CountablePage {
  @Field(() => [ExpressionListEdge], { description: 'The expressions of the page with their cursors.' })
  edges!: ExpressionListEdge[]
  @Field(() => [Expression], { description: 'The expressions of the page.' })
  nodes!: Expression[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'The public members of an expression, for exports.' })
export class ExpressionRow implements Omit<PublicExpression, 'id' | 'domain' | 'subDomain' | 'position'> {
  @Field(() => ID, { description: 'Id of the expression.' })
  expressionId!: string
  @Field(() => DateTime, { description: 'Time of the statement.' })
  createdAt!: Date
  @Field(() => String, { description: 'The text, without personal data.' })
  text!: string
  @Field(() => String, { description: 'Language: ISO 639-1, otherwise 639-3; `und` when unknown.' })
  lang!: string
  @Field(() => Domain, { nullable: true, description: 'The domain; null when the expression has no domain.' })
  domain!: Domain | null
  @Field(() => Domain, { nullable: true, description: 'The sub-domain; null when the expression has no sub-domain.' })
  subDomain!: Domain | null
  @Field(() => SentimentLabel, { nullable: true, description: 'Sentiment; null when it is unknown.' })
  sentiment!: `${SentimentLabel}` | null
  @Field(() => Float, { nullable: true, description: 'Sentiment, -1 (negative) to 1 (positive); null when it is unknown.' })
  sentimentScore!: number | null
  @Field(() => Float, { nullable: true, description: 'Latitude in degrees north (WGS 84); null without a location.' })
  lat!: number | null
  @Field(() => Float, { nullable: true, description: 'Longitude in degrees east (WGS 84); null without a location.' })
  lon!: number | null
}

@ObjectType({ description: 'A page of an export of expressions, newest first.' })
export class ExpressionExport {
  @Field(() => [ExpressionRow], { description: 'The expressions of the page; those that were withdrawn meanwhile are omitted.' })
  rows!: ExpressionRow[]
  @Field(() => String, { nullable: true, description: 'Cursor of the next page, for `after`; null on the last page.' })
  nextCursor!: string | null
}

@ObjectType({ description: 'Result of `synchroniseTaxonomies`.' })
export class SynchroniseTaxonomiesPayload {
  @Field(() => String, { description: 'Version of the taxonomy.' })
  version!: string
  @Field(() => Int, { description: 'Number of domains and sub-domains added to the index.' })
  added!: number
  @Field(() => Int, { description: 'Number of domains and sub-domains updated.' })
  updated!: number
  @Field(() => Int, { description: 'Number of domains and sub-domains removed from the index.' })
  removed!: number
  @Field(() => Int, { description: 'Number of domains and sub-domains unchanged.' })
  unchanged!: number
  @Field(() => Int, { description: 'Number of phrases whose embeddings were computed again.' })
  reEmbedded!: number
  @Field(() => Float, { description: 'Duration in milliseconds.' })
  durationMs!: number
}

/** Converts a stored expression to its GraphQL type. */
export function typeOfExpression({ revision: _, classification, ...document }: ExpressionDocument): Expression {
  return {
    ...document,
    status: document.indexedAt === null ? 'pending' : 'indexed',
    classification: classification && typeOfClassification(classification),
    createdAt: new Date(document.createdAt),
    indexedAt: document.indexedAt === null ? null : new Date(document.indexedAt),
  }
}

function typeOfClassification({
  domain,
  subDomain,
  candidates,
  taxonomyNumber,
  correctedAt,
  ...rest
}: NonNullable<ExpressionDocument['classification']>): ExpressionClassification {
  const decision = { taxonomyVersion: taxonomyNumber ?? null, isCorrected: correctedAt !== undefined }
  return {
    ...rest,
    ...decision,
    domain: domain && decided(domain),
    subDomain: subDomain && decided(subDomain),
    candidates: candidates.map(candidate),
  }
}

const candidate = ({ id, score }: { readonly id: string; readonly score: number }): DomainCandidate => ({ domain: { id }, score })

const decided = ({ label, ...scored }: { readonly id: string; readonly label: string; readonly score: number }): DecidedDomain => ({
  ...candidate(scored),
  label,
})
