import { Field, Float, ID, InputType, registerEnumType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import { SentimentLabel } from './expression.enum.ts'

export enum ExpressionSearchMode {
  TEXT = 'text',
  SEMANTIC = 'semantic',
  HYBRID = 'hybrid',
}
registerEnumType(ExpressionSearchMode, {
  name: 'ExpressionSearchMode',
  description: 'TEXT: by words; SEMANTIC: by likeness of vectors; HYBRID: by both',
})

@InputType({ description: 'Where: coordinates, or an address to look up' })
export class ExpressionLocationInput {
  @Field(() => Float, { nullable: true, description: 'Degrees north; with lon' })
  lat?: number | null
  @Field(() => Float, { nullable: true, description: 'Degrees east; with lat' })
  lon?: number | null
  @Field(() => String, { nullable: true, description: 'Street and number' })
  address?: string | null
  @Field(() => String, { nullable: true, description: 'Postal code' })
  postcode?: string | null
  @Field(() => String, { nullable: true, description: 'Town' })
  city?: string | null
  @Field(() => String, { nullable: true, description: 'ISO 3166 alpha-2 or alpha-3, or a name' })
  country?: string | null
}

@InputType({ description: 'Something that a citizen has said' })
export class IngestExpressionInput {
  @Field(() => String, { description: '1 to 10,000 characters' })
  text!: string
  @Field(() => String, { nullable: true, description: 'Id at the source: the same again from the same caller changes nothing' })
  externalId?: string | null
  @Field(() => String, { nullable: true, description: 'Language, if it is known: ISO 639-1 or 639-3' })
  lang?: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was said; now when absent. From 1900 on and at most 5 minutes ahead, which counts as now',
  })
  createdAt?: Date | null
  @Field(() => String, {
    nullable: true,
    description: 'Who said it, as the source knows them; only an HMAC is kept. It counts as that person when a service key sends it',
  })
  authorRef?: string | null
  @Field(() => String, { nullable: true, description: 'Where it comes from' })
  source?: string | null
  @Field(() => ExpressionLocationInput, { nullable: true, description: 'Where' })
  location?: ExpressionLocationInput | null
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the domain or sub-domain, if it is known: a hint, passed over where the taxonomy has no such domain',
  })
  domain?: string | null
}

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

@InputType({ description: 'Conditions that all hold; an absent one is none' })
export class ExpressionFilterInput {
  @Field(() => [ID], { nullable: true, description: 'Ids of domains or sub-domains, any of them, descendants included' })
  domains?: string[] | null
  @Field(() => SentimentLabel, { nullable: true, description: 'Sentiment' })
  sentiment?: `${SentimentLabel}` | null
  @Field(() => String, { nullable: true, description: 'Language code' })
  lang?: string | null
  @Field(() => BoxInput, { nullable: true, description: 'Area' })
  box?: BoxInput | null
}

@InputType({ description: 'What lies within a distance of a point' })
export class CircleInput {
  @Field(() => Float, { description: 'Degrees north' })
  lat!: number
  @Field(() => Float, { description: 'Degrees east' })
  lon!: number
  @Field(() => Float, { description: 'Kilometres' })
  radiusKm!: number
}

@InputType({ description: 'Conditions that all hold; an absent one is none. Of box and circle at most one' })
export class ExpressionStreamFilterInput extends ExpressionFilterInput {
  @Field(() => CircleInput, { nullable: true, description: 'Area' })
  circle?: CircleInput | null
}

@InputType({ description: 'What to look for' })
export class SearchExpressionsInput {
  @Field(() => String, { description: '1 to 1,000 characters' })
  text!: string
  @Field(() => ExpressionSearchMode, { defaultValue: ExpressionSearchMode.HYBRID, description: 'How' })
  mode!: `${ExpressionSearchMode}`
  @Field(() => ExpressionFilterInput, { nullable: true, description: 'Among which' })
  filter?: ExpressionFilterInput | null
}
