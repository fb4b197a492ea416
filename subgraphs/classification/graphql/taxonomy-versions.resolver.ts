import { Arg, Args, ArgsType, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import type { AnalyticsStore, TaxonomyVersion as StoredVersion } from '../../../engines/analytics-store/analytics-store.ts'
import type { AuditEntry, AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { Fault, NotFound, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { hasVisibleCharacter, isStorableText } from '../../../foundation/validation/values.ts'
import { blank, tooLong, unstorable, type Violation } from '../../../foundation/validation/violation.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'
import { type ContentPublication, earlierContent, publishContent } from '../taxonomy/published-content.ts'
import type { TaxonomyDrafts } from '../taxonomy/taxonomy-drafts.ts'
import { PublishTaxonomyDraftInput, RollBackTaxonomyInput } from './taxonomy.input.ts'
import {
  administratorOf,
  authorOf,
  PublishTaxonomyDraftPayload,
  RollBackTaxonomyPayload,
  type TaxonomyVersion,
  TaxonomyVersionConnection,
  taxonomyEditors,
} from './taxonomy.type.ts'

const versionsOfPage = { defaultSize: 20, maxSize: 100 } as const
const maxNoteLength = 1000

@ArgsType()
class VersionsArgs extends pageArguments(versionsOfPage) {}

export interface TaxonomyVersionsDependencies {
  readonly database: Database
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly drafts: TaxonomyDrafts
  readonly audit: AuditTrail
}

/** The published versions of the taxonomy: publication of the draft, and of an earlier version. */
@Resolver()
export class TaxonomyVersionsResolver {
  readonly #parts: TaxonomyVersionsDependencies

  constructor(parts: TaxonomyVersionsDependencies) {
    this.#parts = parts
  }

  @Mutation(() => PublishTaxonomyDraftPayload, {
    description:
      'Publishes the draft as a new version. All processes follow within seconds; expressions of retired and moved domains are moved at once.',
  })
  @Authorise(taxonomyEditors)
  async publishTaxonomyDraft(
    @Arg('input', () => PublishTaxonomyDraftInput) { revision, note }: PublishTaxonomyDraftInput,
    @Ctx() context: RequestContext,
  ): Promise<PublishTaxonomyDraftPayload> {
    refuseViolations(noteViolations(note))
    const { drafts } = this.#parts
    const draft = await drafts.readAt(revision)
    if (draft.changed === null) throw new Fault('CONFLICT', 'The draft has no edits')
    const { base, content } = draft
    return this.#publish({ base, content, note }, 'taxonomy.publish', {}, context, (tx) => drafts.clear(tx, revision, authorOf(context)))
  }

  @Mutation(() => RollBackTaxonomyPayload, {
    description: 'Publishes the content of an earlier version as a new version; domains that it does not have are retired.',
  })
  @Authorise(taxonomyEditors)
  async rollBackTaxonomy(
    @Arg('input', () => RollBackTaxonomyInput) { version, publishedVersion, note }: RollBackTaxonomyInput,
    @Ctx() context: RequestContext,
  ): Promise<PublishTaxonomyDraftPayload> {
    refuseViolations(noteViolations(note))
    const { store } = this.#parts
    const content = version > 0 ? await earlierContent(store, version) : undefined
    if (content === undefined) throw new NotFound('Taxonomy version not found')
    return this.#publish({ base: publishedVersion, content, isEarlier: true, note }, 'taxonomy.roll-back', { to: version }, context)
  }

  async #publish(
    { note, ...publication }: Omit<ContentPublication, 'author'>,
    action: AuditEntry['action'],
    details: NonNullable<AuditEntry['details']>,
    context: RequestContext,
    within: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<PublishTaxonomyDraftPayload> {
    const { audit, store } = this.#parts
    const number = await publishContent(
      this.#parts,
      { ...publication, note: note.trim(), author: authorOf(context) },
      async (tx, version) => {
        await within(tx)
        await audit.record(
          context,
          [{ action, outcome: 'done', target: `taxonomy:${version}`, details: { ...details, base: publication.base } }],
          tx,
        )
      },
      context.deadline,
    )
    const [version] = await store.taxonomyVersions({ limit: 1, beyond: number + 1 })
    if (version === undefined) throw new NotFound('Taxonomy version not found')
    return { version: shownVersion(version) }
  }

  @Query(() => TaxonomyVersionConnection, { description: 'Published versions of the taxonomy, newest first.' })
  @Authorise(taxonomyEditors)
  async taxonomyVersions(@Args(() => VersionsArgs) args: VersionsArgs): Promise<TaxonomyVersionConnection> {
    const { store } = this.#parts
    const cursors = new Cursors(['taxonomyVersions'])
    const window = pageWindow(args, versionsOfPage, (cursor, argument) => {
      const [number] = cursors.placeOf(cursor, 1, argument)
      if (Number.isSafeInteger(number)) return Number(number)
      throw foreignCursor(argument)
    })
    const versions = (await store.taxonomyVersions(window)).map(shownVersion)
    return { ...pageOf(versions, window, ({ number }) => cursors.of(number)), count: () => store.countTaxonomyVersions() }
  }
}

function noteViolations(note: string): readonly Violation[] {
  if (!hasVisibleCharacter(note)) return [blank(['note'])]
  if ([...note].length > maxNoteLength) return [tooLong(['note'], maxNoteLength)]
  return isStorableText(note) ? [] : [unstorable(['note'])]
}

const shownVersion = ({ number, at, author, note, change: { added, updated, removed } }: StoredVersion): TaxonomyVersion => ({
  number,
  at,
  author,
  administrator: administratorOf(author),
  note,
  added,
  updated,
  removed,
})
