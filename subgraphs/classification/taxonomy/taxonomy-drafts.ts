import type { AnalyticsStore, TaxonomyContent } from '../../../engines/analytics-store/analytics-store.ts'
import type { Database, Queryable, Transaction } from '../../../engines/relational/database.ts'
import { boolean, eq, integer, jsonb, millisecondMoment, pgTable, sql, text } from '../../../engines/relational/drizzle.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import { Fault } from '../../../foundation/fault.ts'
import { publishedContent } from './published-content.ts'
import { concernedBy, edited, rebased, type TaxonomyEdit } from './taxonomy-edits.ts'

/** The last edit of a domain in the draft. */
export interface DomainEdit {
  readonly revision: number
  readonly by: string
}

const taxonomyDraft = pgTable('taxonomy_draft', {
  isOnly: boolean('is_only').primaryKey().default(true),
  base: integer('base').notNull(),
  revision: integer('revision').notNull(),
  content: jsonb('content').$type<TaxonomyContent>(),
  edits: jsonb('edits').$type<Readonly<Record<string, DomainEdit>>>().notNull().default({}),
  changedBy: text('changed_by').notNull(),
  changedAt: millisecondMoment('changed_at').notNull().defaultNow(),
})

/** The draft of the next version; without edits it is the published version. */
export interface TaxonomyDraft {
  /** number of the version that it changes */
  readonly base: number
  readonly revision: number
  readonly content: TaxonomyContent
  readonly edits: Readonly<Record<string, DomainEdit>>
  /** null: nothing was changed */
  readonly changed: { readonly by: string; readonly at: Date } | null
}

export interface DraftEdit {
  readonly edit: TaxonomyEdit
  /** revision of the draft that the editor has seen */
  readonly revision: number
  readonly author: string
}

type Within = (tx: Transaction, revision: number) => Promise<void>

/** The draft that all administrators share. All methods throw EngineUnavailable while the database is unavailable. */
export class TaxonomyDrafts {
  readonly #database: Database
  readonly #store: Pick<AnalyticsStore, 'taxonomyVersions' | 'taxonomyContent'>

  constructor(database: Database, store: Pick<AnalyticsStore, 'taxonomyVersions' | 'taxonomyContent'>) {
    this.#database = database
    this.#store = store
  }

  /** Returns the revision; 0 before the first edit. */
  async revision(): Promise<number> {
    const [row] = await this.#database.orm.select({ revision: taxonomyDraft.revision }).from(taxonomyDraft)
    return row?.revision ?? 0
  }

  read(): Promise<TaxonomyDraft> {
    return this.#read(this.#database.orm)
  }

  /** @throws {Fault} CONFLICT if the draft has another revision */
  async readAt(revision: number): Promise<TaxonomyDraft> {
    const draft = await this.read()
    if (draft.revision !== revision) throw new Fault('CONFLICT', 'The draft has another revision: reload it', { revision: draft.revision })
    return draft
  }

  /**
   * Changes a domain, unless another editor has changed it since the given revision.
   * @throws {InvalidInput} naming the invalid member  @throws {Fault} CONFLICT naming the other editor
   */
  edit({ edit, revision, author }: DraftEdit, within: Within, window?: CommitWindow): Promise<TaxonomyDraft> {
    return this.#change(
      author,
      (draft) => {
        for (const id of concernedBy(edit)) {
          const last = draft.edits[id]
          if (last !== undefined && last.revision > revision)
            throw new Fault('CONFLICT', `${last.by} has changed ${id} meanwhile: reload the draft and compare`, {
              revision: draft.revision,
            })
        }
        const own = { revision: draft.revision + 1, by: author }
        const edits = { ...draft.edits, ...Object.fromEntries(concernedBy(edit).map((id) => [id, own])) }
        return { base: draft.base, content: edited(draft.content, edit), edits }
      },
      within,
      window,
    )
  }

  /**
   * Replaces the whole draft, such as by a file.
   * @returns the revision
   * @throws {Fault} CONFLICT if another version than `base` is published, or the draft has edits by others
   */
  async replace(
    { content, base, author }: { readonly content: TaxonomyContent; readonly base: number; readonly author: string },
    within: Within,
  ): Promise<number> {
    const { number } = await publishedContent(this.#store)
    if (number !== base)
      throw new Fault('CONFLICT', `Version ${number} of the taxonomy is published, not version ${base}: read the file again`)
    const draft = await this.#change(
      author,
      ({ revision, edits }) => {
        const other = Object.values(edits).find(({ by }) => by !== author)
        if (other !== undefined)
          throw new Fault('CONFLICT', `The draft has edits by ${other.by}: publish or discard them first`, { revision })
        const own = { revision: revision + 1, by: author }
        const ids = [...content.domains.map(({ id }) => id), ...Object.keys(content.successors)]
        return { base, content, edits: Object.fromEntries(ids.map((id) => [id, own])) }
      },
      within,
    )
    return draft.revision
  }

  /**
   * Bases the draft on the published version, with the domains that it changes.
   * @throws {Fault} CONFLICT if the draft has another revision, or no edits
   */
  async rebase(revision: number, author: string, within: Within, window?: CommitWindow): Promise<TaxonomyDraft> {
    const { base, changed } = await this.readAt(revision)
    if (changed === null) throw new Fault('CONFLICT', 'The draft has no edits')
    const former = (await this.#store.taxonomyContent(base)) ?? { domains: [], successors: {} }
    const published = await publishedContent(this.#store)
    return this.#change(
      author,
      (draft) => {
        if (draft.revision !== revision) throw changedMeanwhile(draft.revision, draft.changed?.by)
        const { content, updated } = rebased(draft.content, former, published.content)
        const own = { revision: revision + 1, by: author }
        return { base: published.number, content, edits: { ...draft.edits, ...Object.fromEntries(updated.map((id) => [id, own])) } }
      },
      within,
      window,
    )
  }

  /** Discards all edits. @throws {Fault} CONFLICT if the draft has another revision */
  async discard(revision: number, author: string, within: Within, window?: CommitWindow): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await this.clear(tx, revision, author)
      await within(tx, revision)
    }, window)
  }

  /** Ends the draft in the transaction of its publication. @throws {Fault} CONFLICT if the draft has another revision */
  async clear(tx: Transaction, revision: number, author: string): Promise<void> {
    const [row] = await tx.select({ revision: taxonomyDraft.revision, by: taxonomyDraft.changedBy }).from(taxonomyDraft).for('update')
    if (row?.revision !== revision) throw changedMeanwhile(row?.revision ?? 0, row?.by)
    await tx
      .update(taxonomyDraft)
      .set({ content: null, edits: {}, revision: revision + 1, changedBy: author, changedAt: sql`now()` })
      .where(eq(taxonomyDraft.isOnly, true))
  }

  async #read(on: Queryable): Promise<TaxonomyDraft> {
    const [row] = await on.select().from(taxonomyDraft)
    if (row?.content != null)
      return {
        base: row.base,
        revision: row.revision,
        content: row.content,
        edits: row.edits,
        changed: { by: row.changedBy, at: row.changedAt },
      }
    const { number, content } = await publishedContent(this.#store)
    return { base: number, revision: row?.revision ?? 0, content, edits: {}, changed: null }
  }

  #change(
    author: string,
    change: (draft: TaxonomyDraft) => Pick<TaxonomyDraft, 'base' | 'content' | 'edits'>,
    within: Within,
    window?: CommitWindow,
  ): Promise<TaxonomyDraft> {
    return this.#database.transaction(async (tx) => {
      await tx.insert(taxonomyDraft).values({ base: 0, revision: 0, changedBy: author }).onConflictDoNothing()
      await tx.select({ revision: taxonomyDraft.revision }).from(taxonomyDraft).for('update')
      const before = await this.#read(tx)
      const next = change(before)
      const revision = before.revision + 1
      const [row] = await tx
        .update(taxonomyDraft)
        .set({ ...next, revision, changedBy: author, changedAt: sql`now()` })
        .where(eq(taxonomyDraft.isOnly, true))
        .returning({ at: taxonomyDraft.changedAt })
      await within(tx, revision)
      return { ...next, revision, changed: { by: author, at: row?.at ?? new Date() } }
    }, window)
  }
}

const changedMeanwhile = (revision: number, by = 'Another editor'): Fault =>
  new Fault('CONFLICT', `${by} has changed the draft meanwhile: reload it and compare`, { revision })
