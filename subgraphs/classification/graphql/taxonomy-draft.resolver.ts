import { Arg, Args, ArgsType, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { AnalyticsStore, CorrectionPlace, TaxonomyContent, TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import { DomainTree, resolvedSuccessors } from '../../../engines/analytics-store/domain-tree.ts'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { InvalidInput, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isStorableText, isUuid } from '../../../foundation/validation/values.ts'
import { tooFew, tooMany, unstorable } from '../../../foundation/validation/violation.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import { PreviewResult } from '../taxonomy/preview-draft.ts'
import { comparablePhrase, contentViolations, differencesOf, missingLabels, taxonomyLimits } from '../taxonomy/taxonomy-content.ts'
import type { TaxonomyDraft as StoredDraft, TaxonomyDrafts } from '../taxonomy/taxonomy-drafts.ts'
import { concernedBy, type DomainTexts, type TaxonomyEdit } from '../taxonomy/taxonomy-edits.ts'
import { problemOf, type TaxonomyJob, type TaxonomyJobs } from '../taxonomy/taxonomy-jobs.ts'
import { type EditTexts, violationsOfInput } from './edit-violations.ts'
import type { Expression } from './expression.type.ts'
import {
  AddTaxonomyDomainInput,
  AddTaxonomyExamplesInput,
  DiscardTaxonomyDraftInput,
  MergeTaxonomyDomainInput,
  MoveTaxonomyDomainInput,
  PreviewTaxonomyDraftInput,
  RebaseTaxonomyDraftInput,
  RestoreTaxonomyDomainInput,
  RetireTaxonomyDomainInput,
  TaxonomyCorrectionFilterInput,
  type TaxonomyTextInput,
  UpdateTaxonomyDomainInput,
} from './taxonomy.input.ts'
import {
  AddTaxonomyDomainPayload,
  AddTaxonomyExamplesPayload,
  administratorOf,
  authorOf,
  DiscardTaxonomyDraftPayload,
  type DraftPayload,
  MergeTaxonomyDomainPayload,
  MoveTaxonomyDomainPayload,
  PreviewTaxonomyDraftPayload,
  RebaseTaxonomyDraftPayload,
  RestoreTaxonomyDomainPayload,
  RetireTaxonomyDomainPayload,
  TaxonomyCorrectionConnection,
  TaxonomyDifference,
  TaxonomyDraft,
  TaxonomyDraftDomain,
  TaxonomyPreview,
  TaxonomyRetirement,
  type TaxonomyText,
  taxonomyEditors,
  UpdateTaxonomyDomainPayload,
} from './taxonomy.type.ts'

const correctionsOfPage = { defaultSize: 20, maxSize: 100 } as const
const maxExamplesTogether = 100

@ArgsType()
class CorrectionsArgs extends pageArguments(correctionsOfPage) {}

export interface TaxonomyDraftDependencies {
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly drafts: TaxonomyDrafts
  readonly jobs: TaxonomyJobs
  readonly audit: AuditTrail
  readonly topics: Pick<TopicTrainer, 'tree'>
  /** returns an expression by id, batched per request */
  readonly find: (id: string, context: RequestContext) => Promise<Expression | null>
}

/** The draft of the taxonomy: its domains, its edits, the corrections that it can learn from, and its preview. */
@Resolver(() => TaxonomyDraft)
export class TaxonomyDraftResolver {
  readonly #parts: TaxonomyDraftDependencies

  constructor(parts: TaxonomyDraftDependencies) {
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
    const edit = { kind: 'add', id, parentId: parentKey ?? null, labels: byLanguage(labels, 'labels') } as const
    return this.#edit(edit, revision, context, { labels })
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
    return this.#edit({ kind: 'update', id, ...texts }, revision, context, { labels, descriptions, examples, words })
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
      throw new InvalidInput('`key` is unknown', [{ code: 'unknown', path: ['key'], message: 'No retired domain has this id' }])
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
        expressionIds.length === 0 ? tooFew(['expressionIds'], 1) : tooMany(['expressionIds'], maxExamplesTogether),
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
    return this.#edit({ kind: 'phrases', phrases: Object.fromEntries(phrases) }, revision, context)
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

  @Mutation(() => RebaseTaxonomyDraftPayload, {
    description:
      'Bases the draft on the published version when that is newer: domains that the draft changes are kept, all others are taken from that version.',
  })
  @Authorise(taxonomyEditors)
  async rebaseTaxonomyDraft(
    @Arg('input', () => RebaseTaxonomyDraftInput) { revision }: RebaseTaxonomyDraftInput,
    @Ctx() context: RequestContext,
  ): Promise<DraftPayload> {
    const { drafts, audit } = this.#parts
    const entry = { action: 'taxonomy.draft.rebase', outcome: 'done', details: { revision } } as const
    const draft = await drafts.rebase(revision, authorOf(context), (tx) => audit.record(context, [entry], tx), context.deadline)
    return { draft: this.#shown(draft) }
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
    const draft = await this.#parts.drafts.readAt(revision)
    refuseViolations(contentViolations(draft.content))
    await this.#parts.jobs.beginPreview(authorOf(context), revision)
    return { draft: this.#shown(draft) }
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
    const window = pageWindow(args, correctionsOfPage, (cursor, argument): CorrectionPlace => {
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

  /** @param texts - lists of texts of the input, which errors refer to */
  async #edit(edit: TaxonomyEdit, revision: number, context: RequestContext, texts: EditTexts = {}): Promise<DraftPayload> {
    const { drafts, audit } = this.#parts
    const targets = concernedBy(edit)
    if (!targets.every(isStorableText)) refuseViolations([unstorable(['key'])])
    const noted = edit.kind === 'phrases' ? targets : targets.slice(0, 1)
    const draft = await drafts
      .edit(
        { edit, revision, author: authorOf(context) },
        (tx, next) =>
          audit.record(
            context,
            noted.map((id) => ({
              action: 'taxonomy.draft.edit',
              outcome: 'done',
              target: `domain:${id}`,
              details: { edit: edit.kind, revision: next },
            })),
            tx,
          ),
        context.deadline,
      )
      .catch((error: unknown) => {
        if (error instanceof InvalidInput) refuseViolations(violationsOfInput(error.details.entries ?? [], edit, texts))
        throw error
      })
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
      problems: contentViolations(content).map(({ path, ...rule }) => ({ ...rule, path: path.map(String) })),
      languages,
      missingLabels: missing.map(({ id: key, languages }) => ({ key, languages })),
      content,
      // fields with resolvers of their own
      retired: [],
      differences: [],
      preview: null,
    }
  }

  @FieldResolver(() => Int, {
    description: 'Number of the published version. When it differs from `baseVersion`, rebase the draft before publishing it.',
  })
  @Authorise(taxonomyEditors)
  async publishedVersion(): Promise<number> {
    const [latest] = await this.#parts.store.taxonomyVersions({ limit: 1 })
    return latest?.number ?? 0
  }

  @FieldResolver(() => [TaxonomyRetirement], { description: 'Retired domains, by key.' })
  @Authorise(taxonomyEditors)
  async retired(@Root() { content: { successors } }: TaxonomyDraft): Promise<TaxonomyRetirement[]> {
    const retired = Object.entries(successors).toSorted(([one], [other]) => (one < other ? -1 : 1))
    const published = await this.#parts.store.findDomains(retired.map(([key]) => key))
    const labels = new Map(published.map((each) => [each.id, textsOf(each.labels)]))
    return retired.map(([key, successorKey]) => ({ key, successorKey, labels: labels.get(key) ?? [] }))
  }

  @FieldResolver(() => [TaxonomyDifference], { description: 'Differences between the draft and its base version.' })
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
      problem: problemOf({ state, result }),
    }
  }
}

/** Corrections of the domains of the draft. */
@Resolver(() => TaxonomyDraftDomain)
export class TaxonomyDraftDomainResolver {
  readonly #store: Pick<AnalyticsStore, 'correctionCounts'>
  readonly #topics: Pick<TopicTrainer, 'tree'>

  constructor({ store, topics }: Pick<TaxonomyDraftDependencies, 'store' | 'topics'>) {
    this.#store = store
    this.#topics = topics
  }

  @FieldResolver(() => Int, {
    description: 'Number of corrections by people to this domain as published, to its sub-domains and to retired domains that it replaces.',
  })
  correctionCount(@Root() { key }: TaxonomyDraftDomain, @Ctx() context: RequestContext): Promise<number> {
    return loader<string, number>(context, 'corrections of domains', async (keys) => {
      const [counts, tree] = [await this.#store.correctionCounts(), await this.#topics.tree()]
      const totals = new Map<string, number>()
      for (const [id, count] of counts) {
        const current = tree.currentOf(id) ?? id
        for (const each of new Set([current, tree.domainOf(current)])) totals.set(each, (totals.get(each) ?? 0) + count)
      }
      return keys.map((each) => totals.get(each) ?? 0)
    }).load(key)
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
    editor: administratorOf(edits[id]?.by),
  }
}

/** @throws {InvalidInput} for two texts of one language */
function byLanguage(texts: readonly TaxonomyTextInput[], member: string): Readonly<Record<string, string>> {
  const entries = texts.map(({ lang, text }) => [lang, text] as const)
  const twice = entries.findIndex(([lang], index) => entries.findIndex(([other]) => other === lang) < index)
  if (twice !== -1)
    refuseViolations([
      {
        code: 'duplicate_language',
        path: [member, twice, 'lang'],
        message: 'An earlier text in the list has the same language: give one text per language',
      },
    ])
  return Object.fromEntries(entries)
}
