import { isDeepStrictEqual } from 'node:util'
import type { TaxonomyContent, TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import { InvalidInput, refuseViolations } from '../../../foundation/fault.ts'
import type { ViolationCode } from '../../../foundation/validation/violation.ts'
import { comparablePhrase, contentViolations } from './taxonomy-content.ts'

type ByLanguage<Value> = Readonly<Record<string, Value>>

/** The texts of a domain; an absent member stays as it is, a present one replaces all languages. */
export interface DomainTexts {
  readonly labels?: ByLanguage<string>
  readonly descriptions?: ByLanguage<string>
  readonly examples?: ByLanguage<readonly string[]>
  readonly words?: ByLanguage<string>
}

/** A change of a draft. */
export type TaxonomyEdit =
  | ({ readonly kind: 'add'; readonly id: string; readonly parentId: string | null } & DomainTexts)
  | ({ readonly kind: 'update'; readonly id: string } & DomainTexts)
  /** `index`: place among the new siblings; last without */
  | { readonly kind: 'move'; readonly id: string; readonly parentId: string | null; readonly index?: number | undefined }
  | { readonly kind: 'merge'; readonly id: string; readonly into: string }
  | { readonly kind: 'retire'; readonly id: string; readonly successorId: string | null }
  | { readonly kind: 'restore'; readonly domain: TaxonomyDomain }
  /** `phrases` by id of the domain */
  | { readonly kind: 'phrases'; readonly phrases: Readonly<Record<string, readonly Phrase[]>> }

interface Phrase {
  readonly lang: string
  readonly text: string
}

/** Returns the domains that an edit concerns: two editors may not change the same one at a time. */
export function concernedBy(edit: TaxonomyEdit): readonly string[] {
  if (edit.kind === 'merge') return [edit.id, edit.into]
  if (edit.kind === 'restore') return [edit.domain.id]
  if (edit.kind === 'phrases') return Object.keys(edit.phrases)
  return [edit.id]
}

function refuse(member: string, code: ViolationCode, message: string): never {
  throw new InvalidInput(message, [{ code, path: [member], message }])
}

/**
 * Returns the content with a change.
 * @throws {InvalidInput} naming the invalid member
 */
export function edited(content: TaxonomyContent, edit: TaxonomyEdit): TaxonomyContent {
  const changed = inOrder(changedBy(content, edit))
  const before = new Set(contentViolations(content).map((each) => JSON.stringify(each)))
  // what was wrong before, such as in an imported draft, does not prevent a change
  const own = new Set<string | number>(concernedBy(edit))
  refuseViolations(
    contentViolations(changed)
      .filter((each) => !before.has(JSON.stringify(each)))
      // the path has members of the changed domains; the message names another one
      .map(({ path: [id, ...path], message, ...each }) =>
        id === undefined || own.has(id) ? { ...each, path, message } : { ...each, path: [], message: `${id}: ${message}` },
      ),
  )
  return changed
}

function changedBy(content: TaxonomyContent, edit: TaxonomyEdit): TaxonomyContent {
  const { domains, successors } = content
  const find = (id: string, member = 'id'): TaxonomyDomain =>
    domains.find((each) => each.id === id) ?? refuse(member, 'unknown', 'The draft has no domain with this id')
  const childrenOf = (id: string): readonly TaxonomyDomain[] => domains.filter(({ parentId }) => parentId === id)
  const replaced = (domain: TaxonomyDomain): readonly TaxonomyDomain[] => domains.map((each) => (each.id === domain.id ? domain : each))
  switch (edit.kind) {
    case 'add': {
      const { kind: _, id, parentId, ...texts } = edit
      if (domains.some((each) => each.id === id)) refuse('id', 'id_taken', 'Another domain has this id: choose a different one')
      if (Object.hasOwn(successors, id)) refuse('id', 'id_taken', 'A retired domain has this id: restore it, or choose another id')
      if (parentId !== null) find(parentId, 'parentId')
      const empty = { slug: id, position: domains.length, labels: {}, descriptions: {}, examples: {}, words: {} }
      return { domains: [...domains, { ...empty, id, parentId, ...texts }], successors }
    }
    case 'update': {
      const { kind: _, id, ...texts } = edit
      return { domains: replaced({ ...find(id), ...texts }), successors }
    }
    case 'phrases': {
      const extended = new Map(Object.entries(edit.phrases).map(([id, phrases]) => [id, withPhrases(find(id), phrases)]))
      return { domains: domains.map((each) => extended.get(each.id) ?? each), successors }
    }
    case 'move': {
      const domain = find(edit.id)
      const { parentId } = edit
      if (parentId !== null) {
        const parent = find(parentId, 'parentId')
        if (parentId === edit.id) refuse('parentId', 'tree_cycle', 'A domain cannot be moved into itself')
        if (parent.parentId === edit.id) refuse('parentId', 'tree_cycle', 'A domain cannot be moved into its own sub-domain')
        if (childrenOf(edit.id).length > 0) refuse('id', 'has_children', 'The domain has sub-domains: move them first, or merge the domain')
      }
      const siblings = domains.filter((each) => each.parentId === parentId && each.id !== edit.id)
      const index = Math.min(Math.max(edit.index ?? siblings.length, 0), siblings.length)
      const placed = siblings.toSpliced(index, 0, { ...domain, parentId }).map((each, position) => ({ ...each, position }))
      const ids = new Set(placed.map(({ id }) => id))
      return { domains: [...domains.filter(({ id }) => !ids.has(id)), ...placed], successors }
    }
    case 'merge': {
      const [domain, into] = [find(edit.id), find(edit.into, 'into')]
      if (edit.id === edit.into) refuse('into', 'tree_cycle', 'A domain cannot be merged into itself')
      if (into.parentId === edit.id) refuse('into', 'tree_cycle', 'A domain cannot be merged into its own sub-domain')
      const children = childrenOf(edit.id)
      if (children.length > 0 && into.parentId !== null)
        refuse('into', 'has_children', 'The domain has sub-domains and the other is a sub-domain: move the sub-domains first')
      const merged = { ...into, examples: joined(into.examples, domain.examples), words: joinedWords(into.words, domain.words) }
      return {
        domains: domains
          .filter(({ id }) => id !== edit.id)
          .map((each) =>
            each.id === into.id ? merged : each.parentId === edit.id ? { ...each, parentId: into.id, position: domains.length } : each,
          ),
        successors: { ...successors, [edit.id]: into.id },
      }
    }
    case 'retire': {
      find(edit.id)
      const { successorId } = edit
      if (successorId === edit.id) refuse('successorId', 'tree_cycle', 'A domain cannot be its own successor')
      if (successorId !== null) find(successorId, 'successorId')
      if (childrenOf(edit.id).length > 0) refuse('id', 'has_children', 'The domain has sub-domains: move, merge or retire them first')
      return { domains: domains.filter(({ id }) => id !== edit.id), successors: { ...successors, [edit.id]: successorId } }
    }
    case 'restore': {
      const { domain } = edit
      if (!Object.hasOwn(successors, domain.id)) refuse('id', 'unknown', 'No retired domain has this id')
      const { [domain.id]: _, ...others } = successors
      const parent = domains.find(({ id }) => id === domain.parentId)
      const parentId = parent?.parentId === null ? parent.id : null
      return { domains: [...domains, { ...domain, parentId, position: domains.length }], successors: others }
    }
  }
}

/** Returns whether a domain is the same in two contents, wherever its siblings are. */
const isSame = (one: TaxonomyDomain | undefined, other: TaxonomyDomain | undefined): boolean =>
  isDeepStrictEqual(one && { ...one, position: 0 }, other && { ...other, position: 0 })

/**
 * Returns the content of a draft on a newer version: the domains that the draft changes in its base, and all others as they are published. What no
 * longer fits together breaks a rule of the content.
 * @returns the content, and the domains that differ between base and published version
 */
export function rebased(
  draft: TaxonomyContent,
  base: TaxonomyContent,
  published: TaxonomyContent,
): { readonly content: TaxonomyContent; readonly updated: readonly string[] } {
  const [drafted, former, latest] = [draft, base, published].map(({ domains }) => new Map(domains.map((each) => [each.id, each])))
  const ids = [...new Set([...published.domains, ...draft.domains, ...base.domains].map(({ id }) => id))]
  const domains = ids.flatMap((id) => {
    const kept = isSame(drafted?.get(id), former?.get(id)) ? latest?.get(id) : drafted?.get(id)
    return kept === undefined ? [] : [kept]
  })
  const current = new Set(domains.map(({ id }) => id))
  const retired = [...new Set([...ids, ...Object.keys(published.successors), ...Object.keys(draft.successors)])].filter(
    (id) => !current.has(id),
  )
  const successorOf = (id: string): string | null => {
    const isChanged = Object.hasOwn(draft.successors, id) && draft.successors[id] !== base.successors[id]
    return (isChanged ? draft : published).successors[id] ?? null
  }
  return {
    content: inOrder({ domains, successors: Object.fromEntries(retired.map((id) => [id, successorOf(id)])) }),
    updated: ids.filter((id) => !isSame(former?.get(id), latest?.get(id))),
  }
}

function withPhrases(domain: TaxonomyDomain, phrases: readonly Phrase[]): TaxonomyDomain {
  const known = new Set(Object.values(domain.examples).flat().map(comparablePhrase))
  const examples: Record<string, readonly string[]> = { ...domain.examples }
  for (const { lang, text } of phrases) {
    if (known.has(comparablePhrase(text))) continue
    known.add(comparablePhrase(text))
    examples[lang] = [...(examples[lang] ?? []), text]
  }
  return { ...domain, examples }
}

const joined = (one: ByLanguage<readonly string[]>, other: ByLanguage<readonly string[]>): ByLanguage<readonly string[]> =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((lang) => [
      lang,
      [...new Map([...(other[lang] ?? []), ...(one[lang] ?? [])].map((text) => [comparablePhrase(text), text])).values()],
    ]),
  )

const joinedWords = (one: ByLanguage<string>, other: ByLanguage<string>): ByLanguage<string> =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((lang) => [
      lang,
      [...new Set(`${one[lang] ?? ''} ${other[lang] ?? ''}`.trim().split(/\s+/u))].join(' '),
    ]),
  )

/** Orders parents before children, siblings by position, and numbers the positions. */
export function inOrder({ domains, successors }: TaxonomyContent): TaxonomyContent {
  const bySiblings = Map.groupBy(domains, ({ parentId }) => parentId)
  const numbered = (parentId: string | null): readonly TaxonomyDomain[] =>
    (bySiblings.get(parentId) ?? [])
      .toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
      .map((each, position) => (each.position === position ? each : { ...each, position }))
  const roots = numbered(null)
  const rootIds = new Set(roots.map(({ id }) => id))
  // what has no parent among the domains is refused later, not lost
  const others = domains.filter(({ parentId }) => parentId !== null && !rootIds.has(parentId))
  return { domains: [...roots, ...roots.flatMap(({ id }) => numbered(id)), ...others], successors }
}
