import { Field, Float, Int, ObjectType } from 'type-graphql'
import type { TaxonomyContent } from '../../../engines/analytics-store/analytics-store.ts'
import { Administrator, Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { byEnumName, registerEnum } from '../../../foundation/graphql/enum-type.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'
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
  @Field(() => String, { description: 'Id that the domain has once the draft is published.' })
  key!: string
  @Field(() => String, { nullable: true, description: 'Key of the domain of a sub-domain; null for a domain.' })
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
  @Field(() => String, { description: 'Id of the retired domain.' })
  key!: string
  @Field(() => String, { nullable: true, description: 'Key of the domain that replaces it; null when none does.' })
  successorKey!: string | null
  @Field(() => [TaxonomyText], { description: 'Labels by language, as they were last published; empty when it never was.' })
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
  @Field(() => String, { description: 'Id of the domain.' })
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

@ObjectType({ description: 'A domain without a label in languages in which others have one.' })
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
    WAITING: 'It has not begun.',
    RUNNING: 'It is running; a worker that ends is replaced by another one, which continues.',
    DONE: 'It is complete.',
    FAILED: 'It has failed; `problem` has the reason.',
    CANCELLED: 'An administrator has cancelled it, or a newer preview replaces it.',
  },
})

@ObjectType({ description: 'Expressions that a draft moves from one domain to another.' })
export class TaxonomyFlow {
  @Field(() => String, { nullable: true, description: 'Present domain or sub-domain; null: none.' })
  from!: string | null
  @Field(() => String, { nullable: true, description: 'Domain or sub-domain by the draft; null: none.' })
  to!: string | null
  @Field(() => Int, { description: 'Number of expressions.' })
  count!: number
}

@ObjectType({ description: 'An expression that a draft would classify differently.' })
export class TaxonomyPreviewExample {
  @Field(() => Expression, { nullable: true, description: 'The expression; null when it was withdrawn.' })
  expression!: Expression | null
  @Field(() => String, { nullable: true, description: 'Present domain or sub-domain; null: none.' })
  from!: string | null
  @Field(() => String, { nullable: true, description: 'Domain or sub-domain by the draft; null: none.' })
  to!: string | null
}

@ObjectType({ description: 'A domain or sub-domain that people have chosen, and another one that the classifier finds instead.' })
export class TaxonomyConfusion {
  @Field(() => String, { description: 'Domain or sub-domain that people have chosen.' })
  truth!: string
  @Field(() => String, { nullable: true, description: 'Domain or sub-domain that the classifier finds; null: none.' })
  predicted!: string | null
  @Field(() => Int, { description: 'Number of corrections for which the published version finds it.' })
  before!: number
  @Field(() => Int, { description: 'Number of corrections for which the draft finds it.' })
  after!: number
}

@ObjectType({ description: 'Accuracy of the classifier on the latest corrections by people, at most 1,000, which it does not see.' })
export class TaxonomyAccuracy {
  @Field(() => Int, { description: 'Number of corrections.' })
  corrections!: number
  @Field(() => Float, { description: 'Share that the published version classifies as corrected, 0 to 1.' })
  before!: number
  @Field(() => Float, { description: 'Share that the draft classifies as corrected, 0 to 1.' })
  after!: number
  @Field(() => Int, { description: 'Number of corrections whose texts are example phrases of the draft: it has learned them.' })
  examples!: number
  @Field(() => [TaxonomyConfusion], {
    description: 'Corrections that are classified otherwise, by domain; most frequent by the draft first.',
  })
  confusions!: TaxonomyConfusion[]
}

@ObjectType({ description: 'What the draft would change among the latest 10,000 expressions, if all of them were classified again.' })
export class TaxonomyPreview {
  @Field(() => JobState, { description: 'State of the preview.' })
  state!: (typeof jobStates)[number]
  @Field(() => Int, { description: 'Revision of the draft that it shows.' })
  revision!: number
  @Field(() => Int, { description: 'Number of expressions examined so far.' })
  examined!: number
  @Field(() => Int, { description: 'Number of them that change.' })
  changed!: number
  @Field(() => [TaxonomyFlow], { description: 'Moves between domains, most frequent first; empty until it is done.' })
  flows!: TaxonomyFlow[]
  @Field(() => [TaxonomyPreviewExample], { description: 'Expressions that change, at most 20; empty until it is done.' })
  examples!: TaxonomyPreviewExample[]
  @Field(() => TaxonomyAccuracy, {
    nullable: true,
    description: 'Accuracy on corrections; null until it is done, and without corrections.',
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
    description: 'Version that the draft changes; it can be published while this version is published, see `publishedVersion`.',
  })
  baseVersion!: number
  @Field(() => Int, { description: 'Revision, which increases with each edit; edits and the publication name it.' })
  revision!: number
  @Field(() => String, { nullable: true, description: 'Subject identifier of the last editor; null without edits.' })
  changedBy!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the last edit; null without edits.' })
  changedAt!: Date | null
  @Field(() => [TaxonomyDraftDomain], { description: 'Domains, then sub-domains, in their order.' })
  domains!: TaxonomyDraftDomain[]
  retired!: TaxonomyRetirement[]
  differences!: TaxonomyDifference[]
  @Field(() => [InputEntry], { description: 'Rules that the draft violates; it can be published when the list is empty.' })
  problems!: InputEntry[]
  @Field(() => [String], { description: 'Languages in which any domain has a label.' })
  languages!: readonly string[]
  @Field(() => [MissingTaxonomyLabels], {
    description:
      'Domains without a label in one of these languages; clients show the label in English, otherwise in French, otherwise the first one.',
  })
  missingLabels!: MissingTaxonomyLabels[]
  preview!: TaxonomyPreview | null
}

/** Result of an edit. */
export interface DraftPayload {
  readonly draft: TaxonomyDraft
}

@ObjectType({ description: 'The draft with the new domain.' })
export class AddTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'The draft with the new texts of the domain.' })
export class UpdateTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'The draft with the domain at its new place.' })
export class MoveTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'The draft without the merged domain.' })
export class MergeTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'The draft without the retired domain.' })
export class RetireTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'The draft with the restored domain.' })
export class RestoreTaxonomyDomainPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'The draft with the new example phrases.' })
export class AddTaxonomyExamplesPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'The draft without edits.' })
export class DiscardTaxonomyDraftPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'The draft, now based on the published version.' })
export class RebaseTaxonomyDraftPayload implements DraftPayload {
  @Field(() => TaxonomyDraft, { description: 'The draft.' })
  draft!: TaxonomyDraft
}

@ObjectType({ description: 'The draft that is previewed.' })
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
  @Field(() => String, { description: 'What the version changes, in the words of its author.' })
  note!: string
  @Field(() => Int, { description: 'Number of domains that were added or restored.' })
  added!: number
  @Field(() => Int, { description: 'Number of domains that were changed.' })
  updated!: number
  @Field(() => Int, { description: 'Number of domains that were retired or merged.' })
  removed!: number
}

@ObjectType({ description: 'A version of the taxonomy and its cursor.' })
export class TaxonomyVersionEdge {
  @Field(() => TaxonomyVersion, { description: 'The version.' })
  node!: TaxonomyVersion
  @Field(() => String, { description: 'Cursor of the version.' })
  cursor!: string
}

@ObjectType({ description: 'A page of versions, newest first.' })
export class TaxonomyVersionConnection implements Counted {
  @Field(() => [TaxonomyVersionEdge], { description: 'The versions of the page with their cursors.' })
  edges!: readonly TaxonomyVersionEdge[]
  @Field(() => [TaxonomyVersion], { description: 'The versions of the page.' })
  nodes!: readonly TaxonomyVersion[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'A version that was published.' })
export class PublishTaxonomyDraftPayload {
  @Field(() => TaxonomyVersion, { description: 'The version.' })
  version!: TaxonomyVersion
}

@ObjectType({ description: 'A version that was published again.' })
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

@ObjectType({ description: 'A correction and its cursor.' })
export class TaxonomyCorrectionEdge {
  @Field(() => TaxonomyCorrection, { description: 'The correction.' })
  node!: TaxonomyCorrection
  @Field(() => String, { description: 'Cursor of the correction.' })
  cursor!: string
}

@ObjectType({ description: 'A page of corrections, latest first.' })
export class TaxonomyCorrectionConnection implements Counted {
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
  @Field(() => Boolean, { description: 'Whether it follows a publication: it only moves expressions out of retired and moved domains.' })
  isFollowUp!: boolean
  @Field(() => Int, { description: 'Published version of the taxonomy when the re-classification was requested.' })
  version!: number
  @Field(() => Int, { description: 'Expressions per second, at most.' })
  rate!: number
  @Field(() => Int, { nullable: true, description: 'Number of matching expressions at the start; null before and for a follow-up.' })
  total!: number | null
  @Field(() => Int, { description: 'Number of expressions examined so far.' })
  examined!: number
  @Field(() => Int, { description: 'Number of expressions changed so far.' })
  changed!: number
  @Field(() => Int, { description: 'Number of corrections by people met so far; they stay.' })
  kept!: number
  @Field(() => DateTime, { description: 'Time of the request.' })
  createdAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Time at which it ended; null before.' })
  finishedAt!: Date | null
  @Field(() => String, { nullable: true, description: 'Reason when the state is FAILED; otherwise null.' })
  problem!: string | null
}

@ObjectType({ description: 'A re-classification and its cursor.' })
export class TaxonomyReclassificationEdge {
  @Field(() => TaxonomyReclassification, { description: 'The re-classification.' })
  node!: TaxonomyReclassification
  @Field(() => String, { description: 'Cursor of the re-classification.' })
  cursor!: string
}

@ObjectType({ description: 'A page of re-classifications, newest first.' })
export class TaxonomyReclassificationConnection implements Counted {
  @Field(() => [TaxonomyReclassificationEdge], { description: 'The re-classifications of the page with their cursors.' })
  edges!: readonly TaxonomyReclassificationEdge[]
  @Field(() => [TaxonomyReclassification], { description: 'The re-classifications of the page.' })
  nodes!: readonly TaxonomyReclassification[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'A re-classification that was requested.' })
export class ReclassifyExpressionsPayload {
  @Field(() => TaxonomyReclassification, { description: 'The re-classification.' })
  reclassification!: TaxonomyReclassification
}

@ObjectType({ description: 'A re-classification that was cancelled.' })
export class CancelReclassificationPayload extends ReclassifyExpressionsPayload {}
