import { Field, Float, Int, ObjectType } from 'type-graphql'
import type { TaxonomyContent } from '../../../engines/analytics-store/analytics-store.ts'
import { Administrator, Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { byEnumName, registerEnum } from '../../../foundation/graphql/enum-type.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import { type TaxonomyDifference as Difference, taxonomyChangeKinds } from '../taxonomy/taxonomy-content.ts'
import { Domain, Expression } from './expression.type.ts'
import { InputEntry } from './input-entry.type.ts'

export const taxonomyEditors = userWith('super_admin')

/** Returns who publishes or edits: the subject of the administrator. */
export const authorOf = ({ principal }: Pick<RequestContext, 'principal'>): string => principal.user?.subject ?? 'civigraph'

/** Returns the administrator whom an author is; null for the platform, and for operators of commands, who are named account@machine. */
export const administratorOf = (author: string | undefined): Administrator | null =>
  author === undefined || author === 'civigraph' || author.includes('@') ? null : { id: author }

@ObjectType({ description: 'A text of the taxonomy in a language.' })
export class TaxonomyText {
  @Field(() => String, { description: 'Language: ISO 639-1, otherwise 639-3.' })
  lang!: string
  @Field(() => String, { description: 'The text.' })
  text!: string
}

@ObjectType({ description: 'A domain or sub-domain of the draft of the taxonomy.' })
export class TaxonomyDraftDomain {
  @Field(() => String, { description: 'Key of the domain, equal to its `Domain.id` once the draft is published.' })
  key!: string
  @Field(() => String, { nullable: true, description: 'Key of the domain that contains this sub-domain; null for a domain.' })
  parentKey!: string | null
  @Field(() => [TaxonomyText], { description: 'Labels by language.' })
  labels!: TaxonomyText[]
  @Field(() => [TaxonomyText], { description: 'Descriptions by language.' })
  descriptions!: TaxonomyText[]
  @Field(() => [TaxonomyText], { description: 'Example phrases, by which the classifier learns the domain.' })
  examples!: TaxonomyText[]
  @Field(() => [TaxonomyText], { description: 'Terms of the domain by language, separated by spaces.' })
  words!: TaxonomyText[]
  @Field(() => Int, { description: 'Number of example phrases.' })
  exampleCount!: number
  @Field(() => Int, { description: 'Revision of the draft in which the domain was last changed; 0 when the draft has not changed it.' })
  revision!: number
  @Field(() => String, {
    nullable: true,
    description: 'Subject identifier of the last editor, or the operator of a command; null when the draft has not changed it.',
  })
  changedBy!: string | null
  @Field(() => Administrator, { nullable: true, description: 'The last editor; null when the draft has not changed it, or a command has.' })
  editor!: Administrator | null
}

@ObjectType({ description: 'A retired domain and the one that replaces it.' })
export class TaxonomyRetirement {
  @Field(() => String, { description: 'Key of the retired domain.' })
  key!: string
  @Field(() => String, { nullable: true, description: 'Key of the domain that replaces it; null when none does.' })
  successorKey!: string | null
  @Field(() => [TaxonomyText], { description: 'Labels by language, as last published; empty when the domain was never published.' })
  labels!: TaxonomyText[]
}

const ChangeKind = byEnumName(taxonomyChangeKinds)
registerEnum(ChangeKind, {
  name: 'TaxonomyChangeKind',
  description: 'Kind of a difference between two versions of the taxonomy.',
  values: {
    ADDED: 'The domain is new.',
    RESTORED: 'The domain was retired and is in use again.',
    RETIRED: 'The domain is retired or merged.',
    REDIRECTED: 'A retired domain has another successor.',
    MOVED: 'The domain has another parent.',
    REORDERED: 'The domain has another place among its siblings.',
    LABELS: 'Labels differ.',
    DESCRIPTIONS: 'Descriptions differ.',
    EXAMPLES: 'Example phrases differ.',
    WORDS: 'Terms differ.',
  },
})

@ObjectType({ description: 'A difference between the draft and the published version.' })
export class TaxonomyDifference implements Omit<Difference, 'id'> {
  @Field(() => ChangeKind, { description: 'Kind of the difference.' })
  kind!: Difference['kind']
  @Field(() => String, { description: 'Key of the domain.' })
  key!: string
  @Field(() => String, { nullable: true, description: 'Former parent or successor; null for the top, for none and for other kinds.' })
  from!: string | null
  @Field(() => String, { nullable: true, description: 'New parent or successor; null for the top, for none and for other kinds.' })
  to!: string | null
  @Field(() => Int, { description: 'Number of texts that were added.' })
  added!: number
  @Field(() => Int, { description: 'Number of texts that were removed.' })
  removed!: number
}

@ObjectType({ description: 'A domain that lacks labels in languages in which other domains have one.' })
export class MissingTaxonomyLabels {
  @Field(() => String, { description: 'Key of the domain.' })
  key!: string
  @Field(() => [String], { description: 'Languages without a label.' })
  languages!: readonly string[]
}

/** States of previews and re-classifications. */
const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
const JobState = byEnumName(jobStates)
registerEnum(JobState, {
  name: 'TaxonomyJobState',
  description: 'State of a preview or of a re-classification.',
  values: {
    WAITING: 'The run has not started.',
    RUNNING: 'The run is in progress; when its worker ends, another one continues it.',
    DONE: 'The run is complete.',
    FAILED: 'The run has failed; `problem` has the reason.',
    CANCELLED: 'An administrator has cancelled the run, or a newer preview replaces it.',
  },
})

@ObjectType({ description: 'Expressions that a draft moves from one domain to another.' })
export class TaxonomyFlow {
  @Field(() => String, { nullable: true, description: 'Key of the domain or sub-domain at present; null: none.' })
  from!: string | null
  @Field(() => String, { nullable: true, description: 'Key of the domain or sub-domain that the draft assigns; null: none.' })
  to!: string | null
  @Field(() => Int, { description: 'Number of expressions.' })
  count!: number
}

@ObjectType({ description: 'An expression that a draft would classify differently.' })
export class TaxonomyPreviewExample {
  @Field(() => Expression, { nullable: true, description: 'The expression; null when it was withdrawn.' })
  expression!: Expression | null
  @Field(() => String, { nullable: true, description: 'Key of the domain or sub-domain at present; null: none.' })
  from!: string | null
  @Field(() => String, { nullable: true, description: 'Key of the domain or sub-domain that the draft assigns; null: none.' })
  to!: string | null
}

@ObjectType({ description: 'A domain or sub-domain that people have chosen, and another one that the classifier predicts instead.' })
export class TaxonomyConfusion {
  @Field(() => String, { description: 'Domain or sub-domain that people have chosen.' })
  truth!: string
  @Field(() => String, { nullable: true, description: 'Domain or sub-domain that the classifier predicts; null: none.' })
  predicted!: string | null
  @Field(() => Int, { description: 'Number of corrections for which the classifier of the published version predicts it.' })
  before!: number
  @Field(() => Int, { description: 'Number of corrections for which the classifier of the draft predicts it.' })
  after!: number
}

@ObjectType({
  description:
    'Accuracy of the classifier: it classifies the latest 1,000 expressions that people have corrected, without knowing the corrections.',
})
export class TaxonomyAccuracy {
  @Field(() => Int, { description: 'Number of corrections.' })
  corrections!: number
  @Field(() => Float, { description: 'Share of the corrections that the classifier of the published version agrees with, 0 to 1.' })
  before!: number
  @Field(() => Float, { description: 'Share of the corrections that the classifier of the draft agrees with, 0 to 1.' })
  after!: number
  @Field(() => Int, {
    description: 'Number of corrections whose text is an example phrase of the draft, so that the classifier has learned it.',
  })
  examples!: number
  @Field(() => [TaxonomyConfusion], {
    description: 'Corrections that the classifier contradicts, grouped by domain; those most frequent with the draft first.',
  })
  confusions!: TaxonomyConfusion[]
}

@ObjectType({ description: 'What the draft would change among the latest 10,000 expressions, if all of them were classified again.' })
export class TaxonomyPreview {
  @Field(() => JobState, { description: 'State of the preview.' })
  state!: (typeof jobStates)[number]
  @Field(() => Int, { description: 'Revision of the draft that was previewed.' })
  revision!: number
  @Field(() => Int, { description: 'Number of expressions examined so far.' })
  examined!: number
  @Field(() => Int, { description: 'Number of examined expressions whose domain the draft changes.' })
  changed!: number
  @Field(() => [TaxonomyFlow], { description: 'Moves between domains, most frequent first; empty until the preview is complete.' })
  flows!: TaxonomyFlow[]
  @Field(() => [TaxonomyPreviewExample], {
    description: 'Expressions whose domain changes, at most 20; empty until the preview is complete.',
  })
  examples!: TaxonomyPreviewExample[]
  @Field(() => TaxonomyAccuracy, {
    nullable: true,
    description: 'Accuracy on corrections; null until the preview is complete, and when there are no corrections.',
  })
  accuracy!: TaxonomyAccuracy | null
  @Field(() => String, { nullable: true, description: 'Reason when the state is FAILED; otherwise null.' })
  problem!: string | null
}

@Authorise(taxonomyEditors)
@ObjectType({ description: 'The draft of the next version of the taxonomy, which all administrators share.' })
export class TaxonomyDraft {
  readonly content!: TaxonomyContent
  @Field(() => Int, {
    description: 'Number of the version that the draft changes; the draft can be published only while this equals `publishedVersion`.',
  })
  baseVersion!: number
  @Field(() => Int, { description: 'Revision, which increases with each edit; mutations of the draft state it.' })
  revision!: number
  @Field(() => String, { nullable: true, description: 'Subject identifier of the last editor; null without edits.' })
  changedBy!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the last edit; null without edits.' })
  changedAt!: Date | null
  @Field(() => [TaxonomyDraftDomain], { description: 'Domains, followed by sub-domains, each in the order of the taxonomy.' })
  domains!: TaxonomyDraftDomain[]
  retired!: TaxonomyRetirement[]
  differences!: TaxonomyDifference[]
  @Field(() => [InputEntry], { description: 'Rules that the draft violates; the draft can be published only when the list is empty.' })
  problems!: InputEntry[]
  @Field(() => [String], { description: 'Languages in which at least one domain has a label.' })
  languages!: readonly string[]
  @Field(() => [MissingTaxonomyLabels], {
    description:
      'Domains that lack a label in one of `languages`; clients then show the label in English, otherwise in French, otherwise the first one.',
  })
  missingLabels!: MissingTaxonomyLabels[]
  preview!: TaxonomyPreview | null
}

/** Result of an edit. */
export interface DraftPayload {
  readonly draft: TaxonomyDraft
}

@ObjectType({ description: 'Result of `addTaxonomyDomain`: the draft with the new domain.' })
export class AddTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'Result of `updateTaxonomyDomain`: the draft with the new texts of the domain.' })
export class UpdateTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'Result of `moveTaxonomyDomain`: the draft with the domain at its new place.' })
export class MoveTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'Result of `mergeTaxonomyDomain`: the draft after the merge, with the other domain as a retired one.' })
export class MergeTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'Result of `retireTaxonomyDomain`: the draft without the domain, which `retired` lists.' })
export class RetireTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'Result of `restoreTaxonomyDomain`: the draft with the restored domain.' })
export class RestoreTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'Result of `addTaxonomyExamples`: the draft with the new example phrases.' })
export class AddTaxonomyExamplesPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'Result of `discardTaxonomyDraft`: the draft after its edits were discarded, equal to the published version.' })
export class DiscardTaxonomyDraftPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'Result of `rebaseTaxonomyDraft`: the draft, now based on the published version.' })
export class RebaseTaxonomyDraftPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'Result of `previewTaxonomyDraft`: the draft; `preview` has the progress.' })
export class PreviewTaxonomyDraftPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@Authorise(taxonomyEditors)
@ObjectType({ description: 'A published version of the taxonomy.' })
export class TaxonomyVersion {
  @Field(() => Int, { description: 'Number of the version.' })
  number!: number
  @Field(() => DateTime, { description: 'Time of the publication.' })
  at!: Date
  @Field(() => String, {
    description: 'Subject identifier of the administrator, the operator of a command, or civigraph for the first version.',
  })
  author!: string
  @Field(() => Administrator, { nullable: true, description: 'The administrator; null when a command or the platform has published it.' })
  administrator!: Administrator | null
  @Field(() => String, { description: 'Description of the changes, written by the author of the version.' })
  note!: string
  @Field(() => Int, { description: 'Number of domains that were added or restored.' })
  added!: number
  @Field(() => Int, { description: 'Number of domains that were changed.' })
  updated!: number
  @Field(() => Int, { description: 'Number of domains that were retired or merged.' })
  removed!: number
}

@ObjectType({ description: 'An edge of `TaxonomyVersionConnection`: a version of the taxonomy and its cursor.' })
export class TaxonomyVersionEdge {
  @Field(() => TaxonomyVersion, { description: 'The version.' })
  node!: TaxonomyVersion
  @Field(() => String, { description: 'Cursor of the version.' })
  cursor!: string
}

@ObjectType({ description: 'A page of published versions of the taxonomy, newest first.' })
export class TaxonomyVersionConnection implements CountablePage {
  @Field(() => [TaxonomyVersionEdge], { description: 'The versions of the page with their cursors.' })
  edges!: readonly TaxonomyVersionEdge[]
  @Field(() => [TaxonomyVersion], { description: 'The versions of the page.' })
  nodes!: readonly TaxonomyVersion[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'Result of `publishTaxonomyDraft`.' })
export class PublishTaxonomyDraftPayload {
  @Field(() => TaxonomyVersion, { description: 'The version.' })
  version!: TaxonomyVersion
}

@ObjectType({ description: 'Result of `rollBackTaxonomy`.' })
export class RollBackTaxonomyPayload extends PublishTaxonomyDraftPayload {}

@Authorise(taxonomyEditors)
@ObjectType({ description: 'A correction of the domain of an expression by a person.' })
export class TaxonomyCorrection {
  @Field(() => Expression, { nullable: true, description: 'The expression; null when it was withdrawn.' })
  expression!: Expression | null
  @Field(() => Domain, { nullable: true, description: 'The domain or sub-domain that the person has chosen; null: none.' })
  domain!: Domain | null
  @Field(() => DateTime, { description: 'Time of the correction.' })
  correctedAt!: Date
  @Field(() => Boolean, { description: 'Whether the draft has the text as an example phrase of this domain.' })
  isExample!: boolean
}

@ObjectType({ description: 'An edge of `TaxonomyCorrectionConnection`: a correction and its cursor.' })
export class TaxonomyCorrectionEdge {
  @Field(() => TaxonomyCorrection, { description: 'The correction.' })
  node!: TaxonomyCorrection
  @Field(() => String, { description: 'Cursor of the correction.' })
  cursor!: string
}

@ObjectType({ description: 'A page of corrections of domains by people, latest first.' })
export class TaxonomyCorrectionConnection implements CountablePage {
  @Field(() => [TaxonomyCorrectionEdge], { description: 'The corrections of the page with their cursors.' })
  edges!: readonly TaxonomyCorrectionEdge[]
  @Field(() => [TaxonomyCorrection], { description: 'The corrections of the page.' })
  nodes!: readonly TaxonomyCorrection[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@Authorise(taxonomyEditors)
@ObjectType({ description: 'A re-classification of stored expressions.' })
export class TaxonomyReclassification {
  @Field(() => String, { description: 'Identifies the re-classification, for `cancelReclassification`.' })
  key!: string
  @Field(() => JobState, { description: 'State.' })
  state!: (typeof jobStates)[number]
  @Field(() => Boolean, {
    description: 'Whether a publication caused it: it then only moves expressions out of retired and moved domains.',
  })
  isFollowUp!: boolean
  @Field(() => Int, { description: 'Number of the version of the taxonomy that was published when the re-classification was requested.' })
  version!: number
  @Field(() => Int, { description: 'Expressions per second, at most.' })
  rate!: number
  @Field(() => Int, {
    nullable: true,
    description: 'Number of matching expressions at the start; null before the start and for a follow-up.',
  })
  total!: number | null
  @Field(() => Int, { description: 'Number of expressions examined so far.' })
  examined!: number
  @Field(() => Int, { description: 'Number of expressions changed so far.' })
  changed!: number
  @Field(() => Int, { description: 'Number of examined expressions so far whose domain stays because a person has corrected it.' })
  kept!: number
  @Field(() => DateTime, { description: 'Time of the request.' })
  createdAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Time at which it ended; null before.' })
  finishedAt!: Date | null
  @Field(() => String, { nullable: true, description: 'Reason when the state is FAILED; otherwise null.' })
  problem!: string | null
}

@ObjectType({ description: 'An edge of `TaxonomyReclassificationConnection`: a re-classification and its cursor.' })
export class TaxonomyReclassificationEdge {
  @Field(() => TaxonomyReclassification, { description: 'The re-classification.' })
  node!: TaxonomyReclassification
  @Field(() => String, { description: 'Cursor of the re-classification.' })
  cursor!: string
}

@ObjectType({ description: 'A page of re-classifications, newest first.' })
export class TaxonomyReclassificationConnection implements CountablePage {
  @Field(() => [TaxonomyReclassificationEdge], { description: 'The re-classifications of the page with their cursors.' })
  edges!: readonly TaxonomyReclassificationEdge[]
  @Field(() => [TaxonomyReclassification], { description: 'The re-classifications of the page.' })
  nodes!: readonly TaxonomyReclassification[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'Result of `reclassifyExpressions`.' })
export class ReclassifyExpressionsPayload {
  @Field(() => TaxonomyReclassification, { description: 'The re-classification.' })
  reclassification!: TaxonomyReclassification
}

@ObjectType({ description: 'Result of `cancelReclassification`.' })
export class CancelReclassificationPayload extends ReclassifyExpressionsPayload {}
