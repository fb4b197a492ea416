import { Field, Float, ID, InputType } from 'type-graphql'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateScalar, DateTime } from '../../../foundation/graphql/scalars.ts'
import type { ExpressionInput } from '../expression/expression-input.ts'
import { SentimentLabel } from './expression.enum.ts'

export enum ExpressionSearchMode {
  TEXT = 'text',
  SEMANTIC = 'semantic',
  HYBRID = 'hybrid',
}
registerEnum(ExpressionSearchMode, {
  name: 'ExpressionSearchMode',
  description: 'Search method.',
  values: {
    TEXT: 'Search by words.',
    SEMANTIC: 'Search by meaning (distance of embeddings).',
    HYBRID: 'Combines TEXT and SEMANTIC.',
  },
})

@InputType({ description: 'A location: coordinates, or an address to look up.' })
export class ExpressionLocationInput implements NonNullable<ExpressionInput['location']> {
  @Field(() => Float, { nullable: true, description: 'Latitude in degrees north (WGS 84); requires `lon`.' })
  lat?: number | null
  @Field(() => Float, { nullable: true, description: 'Longitude in degrees east (WGS 84); requires `lat`.' })
  lon?: number | null
  @Field(() => String, { nullable: true, description: 'Street and number.' })
  address?: string | null
  @Field(() => String, { nullable: true, description: 'Postal code.' })
  postcode?: string | null
  @Field(() => String, { nullable: true, description: 'Town or city.' })
  city?: string | null
  @Field(() => String, { nullable: true, description: 'Country: ISO 3166-1 alpha-2 or alpha-3, or a name.' })
  country?: string | null
}

@InputType({ description: 'A text that a citizen has written or spoken.' })
export class IngestExpressionInput implements ExpressionInput {
  @Field(() => String, { description: 'The text, 1 to 10,000 characters.' })
  text!: string
  @Field(() => String, {
    nullable: true,
    description: 'Id at the source; a repeated request of the same caller with the same id changes nothing.',
  })
  externalId?: string | null
  @Field(() => String, { nullable: true, description: 'Language, if known: ISO 639-1 or 639-3.' })
  lang?: string | null
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time at which the citizen made the statement; by default the time of receipt. From 1900 to 5 minutes in the future; a future time counts as now.',
  })
  createdAt?: Date | null
  @Field(() => String, {
    nullable: true,
    description:
      'Identifier of the author at the source; only its HMAC is stored. It is used as the author only when a service key sends it.',
  })
  authorRef?: string | null
  @Field(() => String, { nullable: true, description: 'Name of the source, at most 512 characters.' })
  source?: string | null
  @Field(() => ExpressionLocationInput, { nullable: true, description: 'Location of the expression.' })
  location?: ExpressionLocationInput | null
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the domain or sub-domain, if known: a hint, ignored when the taxonomy has no such domain.',
  })
  domainId?: string | null
  @Field(() => ID, { nullable: true, description: 'Former name of `domainId`.', ...deprecated('domainId') })
  domain?: string | null
}

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
const formerDomains = (): PropertyDecorator =>
  Field(() => [ID], { nullable: true, description: 'Former name of `domainIds`.', ...deprecated('domainIds') }) as PropertyDecorator

/** Conditions that all filters share. */
@InputType()
abstract class ExpressionConditions {
  @Field(() => [ID], {
    nullable: true,
    description: 'Ids of domains or sub-domains; an expression matches any of them or of their descendants.',
  })
  domainIds?: readonly string[] | null
  @Field(() => SentimentLabel, { nullable: true, description: 'Sentiment.' })
  sentiment?: `${SentimentLabel}` | null
  @Field(() => String, { nullable: true, description: 'Language: ISO 639-1, otherwise 639-3.' })
  lang?: string | null
  @Field(() => BoxInput, { nullable: true, description: 'Box that contains the location.' })
  box?: BoxInput | null
  @Field(() => String, {
    nullable: true,
    description:
      'Words, and phrases in quotation marks, that the text contains, in any language: at most 500 characters and 32 words, at least one of them not a stop word.',
  })
  q?: string | null
}

@InputType({ description: 'Conditions that are combined with AND; an omitted condition does not restrict the list.' })
export class ExpressionFilterInput extends ExpressionConditions {
  @Field(() => DateScalar, { nullable: true, description: 'First day, in the time zone of the platform.' })
  from?: string | null
  @Field(() => DateScalar, { nullable: true, description: 'Last day, included, in the time zone of the platform.' })
  to?: string | null
  @formerDomains()
  domains?: readonly string[] | null
}

@InputType({ description: 'A circle around a point.' })
export class CircleInput {
  @Field(() => Float, { description: 'Latitude of the centre in degrees north.' })
  lat!: number
  @Field(() => Float, { description: 'Longitude of the centre in degrees east.' })
  lon!: number
  @Field(() => Float, { description: 'Radius in kilometres.' })
  radiusKm!: number
}

@InputType({
  description:
    'Conditions that are combined with AND; an omitted condition does not restrict the stream. At most one of `box` and `circle` is allowed.',
})
export class ExpressionStreamFilterInput extends ExpressionConditions {
  @formerDomains()
  domains?: readonly string[] | null
  @Field(() => CircleInput, { nullable: true, description: 'Circle that contains the location.' })
  circle?: CircleInput | null
}

@InputType({ description: 'A search for expressions.' })
export class SearchExpressionsInput {
  @Field(() => String, { description: 'Search text, 1 to 1,000 characters.' })
  text!: string
  @Field(() => ExpressionSearchMode, { defaultValue: ExpressionSearchMode.HYBRID, description: 'Search method.' })
  mode!: `${ExpressionSearchMode}`
  @Field(() => ExpressionFilterInput, { nullable: true, description: 'Restricts the results.' })
  filter?: ExpressionFilterInput | null
}
