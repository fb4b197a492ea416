import { Arg, Args, ArgsType, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { z } from 'zod'
import type {
  AnalyticsStore,
  CorrectionPlace,
  TaxonomyVersion as StoredVersion,
  TaxonomyContent,
  TaxonomyDomain,
} from '../../../engines/analytics-store/analytics-store.ts'
import { DomainTree, resolvedSuccessors } from '../../../engines/analytics-store/domain-tree.ts'
import type { AuditEntry, AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { Fault, InvalidInput, NotFound, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { hasVisibleCharacter, isStorableText, isUuid } from '../../../foundation/validation/values.ts'
import { blank, invalid, outOfRange, tooLong, tooMany, unstorable, type Violation } from '../../../foundation/validation/violation.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import { PreviewResult } from '../taxonomy/preview-draft.ts'
import { earlierContent, publishContent } from '../taxonomy/published-content.ts'
import { comparablePhrase, contentViolations, differencesOf, missingLabels, taxonomyLimits } from '../taxonomy/taxonomy-content.ts'
import type { TaxonomyDraft as StoredDraft, TaxonomyDrafts } from '../taxonomy/taxonomy-drafts.ts'
import type { DomainTexts, TaxonomyEdit } from '../taxonomy/taxonomy-edits.ts'
import type { ReclassificationFilter, TaxonomyJob, TaxonomyJobs } from '../taxonomy/taxonomy-jobs.ts'
import type { Expression } from './expression.type.ts'
import {
  AddTaxonomyDomainInput,
  AddTaxonomyExamplesInput,
  CancelReclassificationInput,
  DiscardTaxonomyDraftInput,
  MergeTaxonomyDomainInput,
  MoveTaxonomyDomainInput,
  PreviewTaxonomyDraftInput,
  PublishTaxonomyDraftInput,
  type ReclassificationFilterInput,
  ReclassifyExpressionsInput,
  RestoreTaxonomyDomainInput,
  RetireTaxonomyDomainInput,
  RollBackTaxonomyInput,
  TaxonomyCorrectionFilterInput,
  type TaxonomyTextInput,
  UpdateTaxonomyDomainInput,
} from './taxonomy.input.ts'
import {
  AddTaxonomyDomainPayload,
  AddTaxonomyExamplesPayload,
  CancelReclassificationPayload,
  DiscardTaxonomyDraftPayload,
  type DraftPayload,
  MergeTaxonomyDomainPayload,
  MoveTaxonomyDomainPayload,
  PreviewTaxonomyDraftPayload,
  PublishTaxonomyDraftPayload,
  ReclassifyExpressionsPayload,
  RestoreTaxonomyDomainPayload,
  RetireTaxonomyDomainPayload,
  RollBackTaxonomyPayload,
  TaxonomyCorrectionConnection,
  TaxonomyDifference,
  TaxonomyDraft,
  TaxonomyDraftDomain,
  TaxonomyPreview,
  type TaxonomyReclassification,
  TaxonomyReclassificationConnection,
  type TaxonomyText,
  type TaxonomyVersion,
  TaxonomyVersionConnection,
  taxonomyEditors,
  UpdateTaxonomyDomainPayload,
} from './taxonomy.type.ts'

const versionsOfPage = { defaultSize: 20, maxSize: 100 } as const
const longestNote = 1000
const maxExamplesTogether = 100
const maxRate = 1000
const maxDomains = 100

@ArgsType()
class VersionsArgs extends pageArguments(versionsOfPage) {}

@ArgsType()
class ReclassificationsArgs extends pageArguments(versionsOfPage) {}

@ArgsType()
class CorrectionsArgs extends pageArguments(versionsOfPage) {}

export interface TaxonomyDependencies {
  readonly database: Database
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly drafts: TaxonomyDrafts
  readonly jobs: TaxonomyJobs
  readonly audit: AuditTrail
  readonly topics: Pick<TopicTrainer, 'tree'>
  /** returns an expression by id, batched per request */
  readonly find: (id: string, context: RequestContext) => Promise<Expression | null>
}

/** The draft of the taxonomy, its publication, its versions, and the re-classification of stored expressions. */
@Resolver(() => TaxonomyDraft)
export class TaxonomyResolver {
  readonly #parts: TaxonomyDependencies

  constructor(parts: TaxonomyDependencies) {
    this.#parts = parts
  }

  @Query(() => TaxonomyDraft, { description: 'The draft of the taxonomy; without edits it equals the published version.' })
  @Authorise(taxonomyEditors)
  async taxonomyDraft(): Promise<TaxonomyDraft> {
    return this.#shown(await this.#parts.drafts.read())
  }

  @Query(() => TaxonomyDraftDomain, { nullable: true, description: 'One domain of the draft; null when the draft does not have it.' })
  @Authorise(taxonomyEditors)
  async taxonomyDraftDomain(
    @Arg('key', () => String, { description: 'Key of the domain.' }) key: string,
  ): Promise<TaxonomyDraftDomain | null> {
    const { content, edits } = await this.#parts.drafts.read()
    const domain = content.domains.find(({ id }) => id === key)
    return domain === undefined ? null : shownDomain(domain, edits)
  }

  @FieldResolver(() => TaxonomyPreview, {
    nullable: true,
    description: 'The latest preview; null when the draft was not previewed.',
  })
  async preview(@Ctx() context: RequestContext): Promise<TaxonomyPreview | null> {
    const job = await this.#parts.jobs.latestPreview()
    return job === undefined ? null : this.#shownPreview(job, context)
  }

  @Mutation(() => AddTaxonomyDomainPayload, { description: 'Adds a domain or sub-domain to the draft.' })
  @Authorise(taxonomyEditors)
  addTaxonomyDomain(
    @Arg('input', () => AddTaxonomyDomainInput) { key: id, parentKey, labels, revision }: AddTaxonomyDomainInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    return this.#edit({ kind: 'add', id, parentId: parentKey ?? null, labels: byLanguage(labels, 'labels') }, revision, context)
  }

  @Mutation(() => UpdateTaxonomyDomainPayload, {
    description: 'Replaces labels, descriptions, example phrases or terms of a domain of the draft.',
  })
  @Authorise(taxonomyEditors)
  updateTaxonomyDomain(
    @Arg('input', () => UpdateTaxonomyDomainInput) { key: id, revision, labels, descriptions, examples, words }: UpdateTaxonomyDomainInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    const texts: DomainTexts = {
      ...(labels != null && { labels: byLanguage(labels, 'labels') }),
      ...(descriptions != null && { descriptions: byLanguage(descriptions, 'descriptions') }),
      ...(words != null && { words: byLanguage(words, 'words') }),
      ...(examples != null && {
        examples: Object.fromEntries(
          [...Map.groupBy(examples, ({ lang }) => lang)].map(([lang, texts]) => [lang, texts.map(({ text }) => text)]),
        ),
      }),
    }
    return this.#edit({ kind: 'update', id, ...texts }, revision, context)
  }

  @Mutation(() => MoveTaxonomyDomainPayload, {
    description: 'Moves a domain of the draft under another parent or to another place; its id stays.',
  })
  @Authorise(taxonomyEditors)
  moveTaxonomyDomain(
    @Arg('input', () => MoveTaxonomyDomainInput) { key: id, parentKey, index, revision }: MoveTaxonomyDomainInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    return this.#edit({ kind: 'move', id, parentId: parentKey ?? null, index: index ?? undefined }, revision, context)
  }

  @Mutation(() => MergeTaxonomyDomainPayload, {
    description: 'Merges a domain of the draft into another one, which replaces it everywhere.',
  })
  @Authorise(taxonomyEditors)
  mergeTaxonomyDomain(
    @Arg('input', () => MergeTaxonomyDomainInput) { key: id, intoKey: into, revision }: MergeTaxonomyDomainInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    return this.#edit({ kind: 'merge', id, into }, revision, context)
  }

  @Mutation(() => RetireTaxonomyDomainPayload, { description: 'Retires a domain of the draft, with or without a successor.' })
  @Authorise(taxonomyEditors)
  retireTaxonomyDomain(
    @Arg('input', () => RetireTaxonomyDomainInput) { key: id, successorKey, revision }: RetireTaxonomyDomainInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    return this.#edit({ kind: 'retire', id, successorId: successorKey ?? null }, revision, context)
  }

  @Mutation(() => RestoreTaxonomyDomainPayload, { description: 'Adds a retired domain to the draft again.' })
  @Authorise(taxonomyEditors)
  async restoreTaxonomyDomain(
    @Arg('input', () => RestoreTaxonomyDomainInput) { key, revision }: RestoreTaxonomyDomainInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    const [domain] = isStorableText(key) ? await this.#parts.store.findDomains([key]) : []
    if (domain === undefined)
      throw new InvalidInput('key is unknown', [{ code: 'unknown', path: ['key'], message: 'There is no such retired domain' }])
    return this.#edit({ kind: 'restore', domain }, revision, context)
  }

  @Mutation(() => AddTaxonomyExamplesPayload, {
    description: 'Adds the texts of corrected expressions to the draft, as example phrases of the domains that people have chosen.',
  })
  @Authorise(taxonomyEditors)
  async addTaxonomyExamples(
    @Arg('input', () => AddTaxonomyExamplesInput) { expressionIds, revision }: AddTaxonomyExamplesInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    if (expressionIds.length === 0 || expressionIds.length > maxExamplesTogether)
      throw new InvalidInput(`\`expressionIds\` must have 1 to ${maxExamplesTogether} items`, [
        tooMany(['expressionIds'], maxExamplesTogether),
      ])
    const records = await this.#parts.store.findExpressions(expressionIds)
    const { content } = await this.#parts.drafts.read()
    const tree = treeOf(content)
    const phrases = new Map<string, { lang: string; text: string }[]>()
    for (const { enrichment, text, lang } of records) {
      const { classification } = ExpressionDocument.parse(enrichment)
      const decided = classification?.subDomain?.id ?? classification?.domain?.id
      const id = classification?.correctedAt === undefined || decided === undefined ? undefined : tree.currentOf(decided)
      if (id == null) continue
      const phrase = text.replaceAll(/\s+/gu, ' ').trim().slice(0, taxonomyLimits.phraseCharacters)
      phrases.set(id, [...(phrases.get(id) ?? []), { lang, text: phrase }])
    }
    if (phrases.size === 0)
      throw new InvalidInput('None of the expressions has a correction to a domain of the draft', [
        { code: 'unknown', path: ['expressionIds'], message: 'None of the expressions has a correction to a domain of the draft' },
      ])
    let at = revision
    let last: DraftPayload | undefined
    for (const [id, texts] of phrases) {
      last = await this.#edit({ kind: 'phrases', id, phrases: texts }, at, context)
      at = last.draft.revision
    }
    return last ?? { draft: await this.taxonomyDraft() }
  }

  @Mutation(() => DiscardTaxonomyDraftPayload, { description: 'Discards all edits of the draft.' })
  @Authorise(taxonomyEditors)
  async discardTaxonomyDraft(
    @Arg('input', () => DiscardTaxonomyDraftInput) { revision }: DiscardTaxonomyDraftInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    const { drafts, audit } = this.#parts
    const entry = { action: 'taxonomy.draft.discard', outcome: 'done', details: { revision } } as const
    await drafts.discard(revision, authorOf(context), (tx) => audit.record(context, [entry], tx), context.deadline)
    return { draft: await this.taxonomyDraft() }
  }

  @Mutation(() => PreviewTaxonomyDraftPayload, {
    description:
      'Requests a preview: which of the latest 10,000 expressions the draft would classify differently. Poll `TaxonomyDraft.preview`.',
  })
  @Authorise(taxonomyEditors)
  async previewTaxonomyDraft(
    @Arg('input', () => PreviewTaxonomyDraftInput) { revision }: PreviewTaxonomyDraftInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    const draft = await this.#parts.drafts.read()
    if (draft.revision !== revision) throw new Fault('CONFLICT', 'The draft has another revision: reload it', { revision: draft.revision })
    refuseViolations(contentViolations(draft.content))
    await this.#parts.jobs.beginPreview(authorOf(context), revision)
    return { draft: this.#shown(draft) }
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
    const draft = await drafts.read()
    if (draft.revision !== revision) throw new Fault('CONFLICT', 'The draft has another revision: reload it', { revision: draft.revision })
    if (draft.changed === null) throw new Fault('CONFLICT', 'The draft changes nothing')
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
    if (content === undefined) throw new NotFound('There is no such version of the taxonomy')
    return this.#publish({ base: publishedVersion, content, note }, 'taxonomy.roll-back', { to: version }, context)
  }

  async #publish(
    { base, content, note }: { readonly base: number; readonly content: TaxonomyContent; readonly note: string },
    action: AuditEntry['action'],
    details: NonNullable<AuditEntry['details']>,
    context: RequestContext,
    within: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<PublishTaxonomyDraftPayload> {
    const { audit, store } = this.#parts
    const number = await publishContent(
      this.#parts,
      { base, content, note: note.trim(), author: authorOf(context) },
      async (tx, version) => {
        await within(tx)
        await audit.record(context, [{ action, outcome: 'done', target: `taxonomy:${version}`, details: { ...details, base } }], tx)
      },
      context.deadline,
    )
    const [version] = await store.taxonomyVersions({ limit: 1, beyond: number + 1 })
    if (version === undefined) throw new NotFound('There is no such version of the taxonomy')
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

  @Query(() => TaxonomyCorrectionConnection, { description: 'Corrections of domains by people, latest first.' })
  @Authorise(taxonomyEditors)
  async taxonomyCorrections(
    @Arg('filter', () => TaxonomyCorrectionFilterInput, { nullable: true, description: 'Restricts the list.' })
    filter: TaxonomyCorrectionFilterInput | null | undefined,
    @Args(() => CorrectionsArgs) args: CorrectionsArgs,
    @Ctx() context: RequestContext,
  ): Promise<TaxonomyCorrectionConnection> {
    const { store, topics, drafts, find } = this.#parts
    const cursors = new Cursors(['taxonomyCorrections'], filter)
    const window = pageWindow(args, versionsOfPage, (cursor, argument): CorrectionPlace => {
      const [correctedAt, id] = cursors.placeOf(cursor, 2, argument)
      if (typeof correctedAt === 'string' && isStorableText(correctedAt) && typeof id === 'string' && isUuid(id)) return { correctedAt, id }
      throw foreignCursor(argument)
    })
    const domainId = filter?.domainId
    const domains = domainId == null ? undefined : (await topics.tree()).storedIds([domainId])
    const places = await store.correctedExpressions(window, domains)
    const { content } = await drafts.read()
    const examples = new Set(content.domains.flatMap(({ examples }) => Object.values(examples).flat().map(comparablePhrase)))
    const { edges, pageInfo } = pageOf(places, window, ({ correctedAt, id }) => cursors.of(correctedAt, id))
    const shown = await Promise.all(
      edges.map(async ({ node: { id, domain, correctedAt }, cursor }) => {
        const expression = await find(id, context)
        const isExample = expression !== null && examples.has(comparablePhrase(expression.text))
        const node = { expression, domain: domain === null ? null : { id: domain }, correctedAt: new Date(correctedAt), isExample }
        return { node, cursor }
      }),
    )
    return { edges: shown, nodes: shown.map(({ node }) => node), pageInfo, count: () => store.countCorrections(domains) }
  }

  @Query(() => TaxonomyReclassificationConnection, { description: 'Re-classifications of stored expressions, newest first.' })
  @Authorise(taxonomyEditors)
  async taxonomyReclassifications(
    @Args(() => ReclassificationsArgs) args: ReclassificationsArgs,
  ): Promise<TaxonomyReclassificationConnection> {
    const { jobs } = this.#parts
    const cursors = new Cursors(['taxonomyReclassifications'])
    const window = pageWindow(args, versionsOfPage, (cursor, argument) => {
      const { moment: createdAt, id } = cursors.momentOf(cursor, argument)
      if (isUuid(id)) return { createdAt, id }
      throw foreignCursor(argument)
    })
    const page = pageOf(await jobs.page(window), window, ({ createdAt, id }) => cursors.ofMoment(createdAt, id))
    const edges = page.edges.map(({ node, cursor }) => ({ node: shownJob(node), cursor }))
    return { edges, nodes: edges.map(({ node }) => node), pageInfo: page.pageInfo, count: () => jobs.countReclassifications() }
  }

  @Mutation(() => ReclassifyExpressionsPayload, {
    description:
      'Classifies stored expressions again with the published version, at a limited rate and in the background. Corrections by people, hints of senders and decisions of a language model stay.',
  })
  @Authorise(taxonomyEditors)
  async reclassifyExpressions(
    @Arg('input', () => ReclassifyExpressionsInput) { filter, rate }: ReclassifyExpressionsInput,
    @Ctx() context: RequestContext,
  ): Promise<ReclassifyExpressionsPayload> {
    const { database, jobs, audit, store, topics } = this.#parts
    const tree = await topics.tree()
    refuseViolations([
      ...(rate >= 1 && rate <= maxRate ? [] : [outOfRange(['rate'], 1, maxRate)]),
      ...filterViolations(filter, tree).map((each) => ({ ...each, path: ['filter', ...each.path] })),
    ])
    const conditions = conditionsOf(filter, tree)
    const { number: version } = await store.readTaxonomy()
    const id = await database.transaction(async (tx) => {
      const begun = await jobs.begin(tx, { kind: 'reclassify', author: authorOf(context), version, filter: conditions, rate })
      const details = { version, rate, filter: conditions }
      await audit.record(context, [{ action: 'taxonomy.reclassify', outcome: 'done', target: begun, details }], tx)
      return begun
    }, context.deadline)
    const [job] = await jobs.find([id])
    if (job === undefined) throw new NotFound('Re-classification not found')
    return { reclassification: shownJob(job) }
  }

  @Mutation(() => CancelReclassificationPayload, { description: 'Cancels a re-classification; expressions that it has changed stay so.' })
  @Authorise(taxonomyEditors)
  async cancelReclassification(
    @Arg('input', () => CancelReclassificationInput) { key }: CancelReclassificationInput,
    @Ctx() context: RequestContext,
  ): Promise<ReclassifyExpressionsPayload> {
    const { database, jobs, audit } = this.#parts
    if (!isUuid(key)) throw new NotFound('Re-classification not found')
    const job = await database.transaction(async (tx) => {
      const cancelled = await jobs.cancel(tx, key)
      await audit.record(context, [{ action: 'taxonomy.reclassify.cancel', outcome: 'done', target: key }], tx)
      return cancelled
    }, context.deadline)
    return { reclassification: shownJob(job) }
  }

  async #edit(edit: TaxonomyEdit, revision: number, context: RequestContext): Promise<DraftPayload> {
    const { drafts, audit } = this.#parts
    const target = edit.kind === 'restore' ? edit.domain.id : edit.id
    if (!isStorableText(target)) refuseViolations([unstorable(['key'])])
    const draft = await drafts.edit(
      { edit, revision, author: authorOf(context) },
      (tx, next) =>
        audit.record(
          context,
          [{ action: 'taxonomy.draft.edit', outcome: 'done', target: `domain:${target}`, details: { edit: edit.kind, revision: next } }],
          tx,
        ),
      context.deadline,
    )
    return { draft: this.#shown(draft) }
  }

  #shown({ base, revision, content, edits, changed }: StoredDraft): TaxonomyDraft {
    const { languages, missing } = missingLabels(content)
    return {
      baseVersion: base,
      revision,
      changedBy: changed?.by ?? null,
      changedAt: changed?.at ?? null,
      domains: content.domains.map((each) => shownDomain(each, edits)),
      retired: Object.entries(content.successors).map(([key, successorKey]) => ({ key, successorKey })),
      problems: contentViolations(content).map(({ path, ...rule }) => ({ ...rule, path: path.map(String) })),
      languages,
      missingLabels: missing.map(({ id: key, languages }) => ({ key, languages })),
      content,
      // fields with resolvers of their own
      differences: [],
      preview: null,
    }
  }

  @FieldResolver(() => [TaxonomyDifference], { description: 'What the draft changes in its base version.' })
  async differences(@Root() { baseVersion, content }: TaxonomyDraft): Promise<TaxonomyDifference[]> {
    const before = (await this.#parts.store.taxonomyContent(baseVersion)) ?? { domains: [], successors: {} }
    return differencesOf(before, content).map(({ id: key, ...difference }) => ({ key, ...difference }))
  }

  async #shownPreview({ state, version, examined, changed, result }: TaxonomyJob, context: RequestContext): Promise<TaxonomyPreview> {
    const done = state === 'done' ? PreviewResult.parse(result) : undefined
    return {
      state,
      revision: version,
      examined,
      changed,
      flows: done?.flows ?? [],
      examples: await Promise.all(
        (done?.examples ?? []).map(async ({ expression, from, to }) => ({
          expression: await this.#parts.find(expression, context),
          from,
          to,
        })),
      ),
      accuracy: done?.accuracy ?? null,
      problem: problemOf(state, result),
    }
  }
}

const treeOf = ({ domains, successors }: TaxonomyContent): DomainTree =>
  new DomainTree({ domains, successors: resolvedSuccessors(successors, new Set(domains.map(({ id }) => id))) })

const textsOf = (texts: Readonly<Record<string, string>>): TaxonomyText[] => Object.entries(texts).map(([lang, text]) => ({ lang, text }))

function shownDomain(
  { id, parentId, labels, descriptions, examples, words }: TaxonomyDomain,
  edits: StoredDraft['edits'],
): TaxonomyDraftDomain {
  const phrases = Object.entries(examples).flatMap(([lang, texts]) => texts.map((text) => ({ lang, text })))
  return {
    key: id,
    parentKey: parentId,
    labels: textsOf(labels),
    descriptions: textsOf(descriptions),
    words: textsOf(words),
    examples: phrases,
    exampleCount: phrases.length,
    revision: edits[id]?.revision ?? 0,
    changedBy: edits[id]?.by ?? null,
  }
}

/** @throws {InvalidInput} for two texts of one language */
function byLanguage(texts: readonly TaxonomyTextInput[], member: string): Readonly<Record<string, string>> {
  const entries = texts.map(({ lang, text }) => [lang, text] as const)
  const twice = entries.findIndex(([lang], index) => entries.findIndex(([other]) => other === lang) < index)
  if (twice !== -1) refuseViolations([invalid([member, twice, 'lang'], 'There is a text in this language already')])
  return Object.fromEntries(entries)
}

/** Returns who publishes or edits: the subject of the administrator. */
const authorOf = ({ principal }: Pick<RequestContext, 'principal'>): string => principal.user?.subject ?? 'civigraph'

function noteViolations(note: string): readonly Violation[] {
  if (!hasVisibleCharacter(note)) return [blank(['note'])]
  if ([...note].length > longestNote) return [tooLong(['note'], longestNote)]
  return isStorableText(note) ? [] : [unstorable(['note'])]
}

function filterViolations(filter: ReclassificationFilterInput | null | undefined, tree: DomainTree): readonly Violation[] {
  const { domainIds, lang, from, to } = filter ?? {}
  return [
    ...(domainIds != null && (domainIds.length === 0 || domainIds.length > maxDomains) ? [tooMany(['domainIds'], maxDomains)] : []),
    ...(domainIds ?? []).flatMap((id, index): Violation[] =>
      tree.knows(id) ? [] : [{ code: 'unknown', path: ['domainIds', index], message: 'Unknown domain' }],
    ),
    ...(lang != null && !/^[a-z]{2,3}$/.test(lang) ? [invalid(['lang'], 'must be a language code of two or three letters')] : []),
    ...(from != null && to != null && from >= to
      ? [{ code: 'wrong_order', path: ['from'], message: 'from should be before to' } as const]
      : []),
  ]
}

function conditionsOf(filter: ReclassificationFilterInput | null | undefined, tree: DomainTree): ReclassificationFilter {
  const { domainIds, withoutDomain = false, lang, from, to, outdatedOnly = true } = filter ?? {}
  const named = domainIds == null ? [] : tree.storedIds(domainIds)
  return {
    ...((domainIds != null || withoutDomain) && { domains: [...named, ...(withoutDomain ? [null] : [])] }),
    ...(lang != null && { lang }),
    ...(from != null && { from: from.toISOString() }),
    ...(to != null && { to: to.toISOString() }),
    outdatedOnly,
  }
}

const shownVersion = ({ number, at, author, note, change: { added, updated, removed } }: StoredVersion): TaxonomyVersion => ({
  number,
  at,
  author,
  // operators of commands are named account@machine
  administrator: author === 'civigraph' || author.includes('@') ? null : { id: author },
  note,
  added,
  updated,
  removed,
})

const shownJob = (job: TaxonomyJob): TaxonomyReclassification => {
  const { id: key, kind, state, version, rate, total, examined, changed, kept, createdAt, finishedAt, result } = job
  const progress = { total, examined, changed, kept, createdAt, finishedAt }
  return { key, isFollowUp: kind === 'outdated', state, version, rate, ...progress, problem: problemOf(state, result) }
}

const Failure = z.object({ reason: z.string() })
const problemOf = (state: TaxonomyJob['state'], result: unknown): string | null =>
  state === 'failed' ? (Failure.safeParse(result).data?.reason ?? 'Unknown reason') : null
