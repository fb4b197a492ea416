import { Field, ID, InputType, Int } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/scalars.ts'

@InputType({ description: 'A text of the taxonomy in a language.' })
export class TaxonomyTextInput {
  @Field(() => String, { description: 'Language: ISO 639-1, otherwise 639-3.' })
  lang!: string
  @Field(() => String, { description: 'The text.' })
  text!: string
}

@InputType({ description: 'The revision of the draft that the editor has seen.' })
class DomainEditInput {
  @Field(() => Int, {
    description:
      'Revision of the draft that the editor has seen; the call is refused (CONFLICT) when a later revision has changed the same domain.',
  })
  revision!: number
}

@InputType({ description: 'The revision of the draft that the editor has seen.' })
class WholeDraftInput {
  @Field(() => Int, {
    description: 'Revision of the draft that the editor has seen; the call is refused (CONFLICT) when the draft has another revision.',
  })
  revision!: number
}

@InputType({ description: 'A new domain or sub-domain of the draft.' })
export class AddTaxonomyDomainInput extends DomainEditInput {
  @Field(() => String, {
    description:
      'Key of the domain, which becomes its `Domain.id` and never changes: 1 to 100 lower-case letters and digits, separated by a single -, /, . or _.',
  })
  key!: string
  @Field(() => String, { nullable: true, description: 'Key of the domain that contains this sub-domain; null for a domain.' })
  parentKey?: string | null
  @Field(() => [TaxonomyTextInput], { description: 'Labels, one for each language, at most 120 characters.' })
  labels!: TaxonomyTextInput[]
}

@InputType({
  description: 'Texts of a domain of the draft; an omitted field stays as it is, a given one replaces the texts of all languages.',
})
export class UpdateTaxonomyDomainInput extends DomainEditInput {
  @Field(() => String, { description: 'Key of the domain.' })
  key!: string
  @Field(() => [TaxonomyTextInput], { nullable: true, description: 'Labels, one for each language, at most 120 characters.' })
  labels?: TaxonomyTextInput[] | null
  @Field(() => [TaxonomyTextInput], { nullable: true, description: 'Descriptions, one for each language, at most 2,000 characters.' })
  descriptions?: TaxonomyTextInput[] | null
  @Field(() => [TaxonomyTextInput], { nullable: true, description: 'Example phrases, at most 1,000 characters each.' })
  examples?: TaxonomyTextInput[] | null
  @Field(() => [TaxonomyTextInput], { nullable: true, description: 'Terms separated by spaces, one text for each language.' })
  words?: TaxonomyTextInput[] | null
}

@InputType({ description: 'A domain of the draft and its new place.' })
export class MoveTaxonomyDomainInput extends DomainEditInput {
  @Field(() => String, { description: 'Key of the domain.' })
  key!: string
  @Field(() => String, { nullable: true, description: 'Key of the new parent; null moves it to the top.' })
  parentKey?: string | null
  @Field(() => Int, { nullable: true, description: 'Place among its new siblings, from 0; last when it is omitted.' })
  index?: number | null
}

@InputType({ description: 'Two domains of the draft to merge.' })
export class MergeTaxonomyDomainInput extends DomainEditInput {
  @Field(() => String, {
    description: 'Key of the domain that is retired; its sub-domains, example phrases and terms are moved to the other domain.',
  })
  key!: string
  @Field(() => String, { description: 'Key of the domain that replaces the retired one.' })
  intoKey!: string
}

@InputType({ description: 'A domain of the draft to retire.' })
export class RetireTaxonomyDomainInput extends DomainEditInput {
  @Field(() => String, { description: 'Key of a domain without sub-domains.' })
  key!: string
  @Field(() => String, { nullable: true, description: 'Key of the domain that replaces it; null: its expressions are classified again.' })
  successorKey?: string | null
}

@InputType({ description: 'A retired domain to use again.' })
export class RestoreTaxonomyDomainInput extends DomainEditInput {
  @Field(() => String, { description: 'Key of the retired domain.' })
  key!: string
}

@InputType({ description: 'Corrected expressions whose texts become example phrases of the draft.' })
export class AddTaxonomyExamplesInput extends DomainEditInput {
  @Field(() => [ID], {
    description: 'Ids of corrected expressions, 1 to 100; each text becomes an example of the domain that a person has chosen.',
  })
  expressionIds!: string[]
}

@InputType({ description: 'The draft to discard.' })
export class DiscardTaxonomyDraftInput extends WholeDraftInput {}

@InputType({ description: 'The draft to base on the published version.' })
export class RebaseTaxonomyDraftInput extends WholeDraftInput {}

@InputType({ description: 'The draft to preview.' })
export class PreviewTaxonomyDraftInput extends WholeDraftInput {}

@InputType({ description: 'The draft to publish.' })
export class PublishTaxonomyDraftInput extends WholeDraftInput {
  @Field(() => String, { description: 'Description of the changes, 1 to 1,000 characters.' })
  note!: string
}

@InputType({ description: 'The version to publish again.' })
export class RollBackTaxonomyInput {
  @Field(() => Int, { description: 'Number of the version whose content becomes the next version.' })
  version!: number
  @Field(() => Int, {
    description:
      'Number of the published version that the administrator has seen; the call is refused (CONFLICT) when another version is published.',
  })
  publishedVersion!: number
  @Field(() => String, { description: 'Reason, 1 to 1,000 characters.' })
  note!: string
}

@InputType({ description: 'The expressions to classify again; all conditions must hold.' })
export class ReclassificationFilterInput {
  @Field(() => [ID], { nullable: true, description: 'Ids of domains or sub-domains, at most 100; a domain includes its sub-domains.' })
  domainIds?: string[] | null
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to select expressions without a domain in addition to those of `domainIds`.',
  })
  withoutDomain!: boolean
  @Field(() => String, { nullable: true, description: 'Language of the expressions.' })
  lang?: string | null
  @Field(() => DateTime, { nullable: true, description: 'Earliest `createdAt` of the expressions, inclusive; null: no limit.' })
  from?: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Latest `createdAt` of the expressions, exclusive; null: no limit.' })
  to?: Date | null
  @Field(() => Boolean, {
    defaultValue: true,
    description: 'Whether to select only expressions that were classified with an earlier version of the taxonomy.',
  })
  outdatedOnly!: boolean
}

@InputType({ description: 'A re-classification.' })
export class ReclassifyExpressionsInput {
  @Field(() => ReclassificationFilterInput, { nullable: true, description: 'Restricts the expressions.' })
  filter?: ReclassificationFilterInput | null
  @Field(() => Int, { defaultValue: 200, description: 'Expressions per second, 1 to 1,000.' })
  rate!: number
}

@InputType({ description: 'The re-classification to cancel.' })
export class CancelReclassificationInput {
  @Field(() => String, { description: 'Key of the re-classification.' })
  key!: string
}

@InputType({ description: 'Filter for corrections.' })
export class TaxonomyCorrectionFilterInput {
  @Field(() => ID, { nullable: true, description: 'Returns only corrections to this domain or its sub-domains.' })
  domainId?: string | null
}
