import type { TaxonomyContent, TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import { resolvedSuccessors } from '../../../engines/analytics-store/domain-tree.ts'
import { fold } from '../../../foundation/text/fold.ts'
import { isStorableText, languageCode } from '../../../foundation/validation/values.ts'
import type { Violation, ViolationCode } from '../../../foundation/validation/violation.ts'

/** Limits of a taxonomy; docs/limits.md lists them. */
export const taxonomyLimits = {
  domains: 1000,
  phrases: 50_000,
  languages: 40,
  idCharacters: 100,
  labelCharacters: 120,
  descriptionCharacters: 2000,
  phraseCharacters: 1000,
  wordsCharacters: 10_000,
} as const

/** lower-case letters and digits with single hyphens, slashes, dots or underscores between; commas, = and ; separate ids in filters */
const idPattern = /^[a-z0-9]+(?:[-/._][a-z0-9]+)*$/
const languagePattern = /^[a-z]{2,3}$/

/** A violated rule; `path` is the id of the domain, the member, the language and the index of the phrase, as far as they apply. */
export type ContentViolation = Violation

/** violations in one refusal */
const maxViolations = 100

/** Returns the rules that a taxonomy violates, at most a hundred. */
export function contentViolations({ domains, successors }: TaxonomyContent): readonly ContentViolation[] {
  const found: ContentViolation[] = []
  const add = (code: ViolationCode, path: readonly (string | number)[], message: string): void => {
    if (found.length < maxViolations) found.push({ code, path, message })
  }
  if (domains.length === 0) add('too_short', [], 'A taxonomy has at least one domain')
  if (domains.length > taxonomyLimits.domains) {
    add('too_many', [], `A taxonomy has at most ${taxonomyLimits.domains} domains, not ${domains.length}`)
    return found
  }
  const phrases = domains.reduce((sum, { examples }) => sum + Object.values(examples).reduce((more, { length }) => more + length, 0), 0)
  if (phrases > taxonomyLimits.phrases) {
    add('too_many', [], `A taxonomy has at most ${taxonomyLimits.phrases} example phrases, not ${phrases}`)
    return found
  }
  const byId = new Map<string, TaxonomyDomain>()
  for (const each of domains) {
    if (byId.has(each.id)) add('id_taken', [each.id], 'Another domain has this id: choose a different one')
    byId.set(each.id, each)
  }
  for (const each of domains) {
    addIdViolations(each, byId, add)
    addTextViolations(each, add)
  }
  addEqualPhrases(domains, add)
  addSuccessorViolations({ domains, successors }, add)
  return found
}

type Add = (code: ViolationCode, path: readonly (string | number)[], message: string) => void

function addIdViolations({ id, parentId, slug }: TaxonomyDomain, byId: ReadonlyMap<string, TaxonomyDomain>, add: Add): void {
  if (!idPattern.test(id) || id.length > taxonomyLimits.idCharacters)
    add(
      'wrong_pattern',
      [id, 'id'],
      `An id has 1 to ${taxonomyLimits.idCharacters} lower-case letters and digits, with single - / . or _ between`,
    )
  if (slug === '' || slug.length > taxonomyLimits.idCharacters || !isStorableText(slug))
    add('too_long', [id, 'slug'], `A slug has 1 to ${taxonomyLimits.idCharacters} characters`)
  if (parentId === null) return
  const parent = byId.get(parentId)
  if (parentId === id) add('tree_cycle', [id, 'parent'], 'A domain cannot be its own parent')
  else if (parent === undefined) add('unknown', [id, 'parent'], 'The parent is not a domain of this taxonomy')
  else if (parent.parentId === id) add('tree_cycle', [id, 'parent'], 'The parent is a sub-domain of this domain')
  else if (parent.parentId !== null) add('tree_too_deep', [id, 'parent'], 'The parent is a sub-domain; a sub-domain has no sub-domains')
}

function addTextViolations({ id, labels, descriptions, examples, words }: TaxonomyDomain, add: Add): void {
  if (Object.keys(labels).length === 0) add('required', [id, 'labels'], 'A domain has a label in at least one language')
  const members = { labels, descriptions, examples, words }
  for (const [member, byLanguage] of Object.entries(members)) {
    if (Object.keys(byLanguage).length > taxonomyLimits.languages)
      add('too_many', [id, member], `At most ${taxonomyLimits.languages} languages`)
    for (const lang of Object.keys(byLanguage))
      if (!languagePattern.test(lang)) add('wrong_pattern', [id, member, lang], 'A language is a code of two or three letters')
      else if (languageCode(lang) === undefined) add('unknown_language', [id, member, lang], `No language has the code ${lang}`)
      else if (languageCode(lang) !== lang)
        add('unknown_language', [id, member, lang], `The code of this language is ${languageCode(lang)}, not ${lang}`)
  }
  const check = (text: string, max: number, path: readonly (string | number)[]): boolean => {
    if (text.trim() === '' || text.trim() !== text) add('blank', path, 'A text is not empty and has no space at its ends')
    else if ([...text].length > max) add('too_long', path, `At most ${max} characters, not ${[...text].length}`)
    else if (!isStorableText(text) || /\p{Cc}/u.test(text))
      add('control_characters', path, 'A text has no control characters and no line breaks')
    else return true
    return false
  }
  for (const [lang, text] of Object.entries(labels)) {
    const path = [id, 'labels', lang]
    if (check(text, taxonomyLimits.labelCharacters, path) && !isInScriptOf(lang, text))
      add('wrong_script', path, `The label has no letter of the script in which ${names.of(lang) ?? lang} is written`)
  }
  for (const [lang, text] of Object.entries(descriptions)) check(text, taxonomyLimits.descriptionCharacters, [id, 'descriptions', lang])
  for (const [lang, text] of Object.entries(words)) check(text, taxonomyLimits.wordsCharacters, [id, 'words', lang])
  for (const [lang, phrases] of Object.entries(examples))
    for (const [index, text] of phrases.entries()) check(text, taxonomyLimits.phraseCharacters, [id, 'examples', lang, index])
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** Returns whether a text has a letter of the usual script of a language, or no letters; true for a language of unknown or mixed script. */
export function isInScriptOf(lang: string, text: string): boolean {
  if (languageCode(lang) === undefined || !/\p{L}/u.test(text)) return true
  const { script = 'Zyyy' } = new Intl.Locale(lang).maximize()
  try {
    // linear: a single character class
    return new RegExp(`\\p{Script_Extensions=${script}}`, 'u').test(text)
  } catch {
    // such as Jpan, which is several scripts
    return true
  }
}

/** Phrases that teach two domains cannot teach either. */
function addEqualPhrases(domains: readonly TaxonomyDomain[], add: Add): void {
  const owners = new Map<string, string>()
  for (const { id, examples } of domains)
    for (const [lang, phrases] of Object.entries(examples))
      for (const [index, text] of phrases.entries()) {
        const key = comparablePhrase(text)
        const owner = owners.get(key)
        if (owner !== undefined) add('duplicate_phrase', [id, 'examples', lang, index], `The phrase is already an example of ${owner}`)
        else owners.set(key, id)
      }
}

/** Returns the same text for phrases that the classifier reads alike: those that differ in case, accents, punctuation and spaces only. */
export const comparablePhrase = (text: string): string => {
  const words = fold(text)
    .replaceAll(/[^\p{L}\p{N}\p{S}]+/gu, ' ')
    .trim()
  return words === '' ? text.trim() : words
}

function addSuccessorViolations({ domains, successors }: TaxonomyContent, add: Add): void {
  const current = new Set(domains.map(({ id }) => id))
  const resolved = resolvedSuccessors(successors, current)
  for (const [id, successor] of Object.entries(successors)) {
    if (current.has(id)) add('mismatch', [id, 'successor'], 'A domain that is not retired has no successor')
    else if (successor === null) continue
    else if (successor === id) add('tree_cycle', [id, 'successor'], 'A domain cannot be its own successor')
    else if (!current.has(successor) && !Object.hasOwn(successors, successor))
      add('unknown', [id, 'successor'], 'The successor is not a domain of this taxonomy')
    else if (resolved.get(id) === null && isCycle(successors, id))
      add('tree_cycle', [id, 'successor'], 'The successors of this domain form a cycle')
  }
}

function isCycle(successors: TaxonomyContent['successors'], start: string): boolean {
  const seen = new Set<string>()
  for (let at: string | null = start; at !== null; at = successors[at] ?? null) {
    if (seen.has(at)) return true
    seen.add(at)
  }
  return false
}

export const taxonomyChangeKinds = [
  'added',
  'restored',
  'retired',
  'redirected',
  'moved',
  'reordered',
  'labels',
  'descriptions',
  'examples',
  'words',
] as const

/** A difference between two contents. */
export interface TaxonomyDifference {
  readonly kind: (typeof taxonomyChangeKinds)[number]
  readonly id: string
  /** moved: parent; retired and redirected: successor; null: none */
  readonly from: string | null
  readonly to: string | null
  /** number of texts that were added and removed: examples, words, labels and descriptions */
  readonly added: number
  readonly removed: number
}

/** Returns what a content changes in another one, in the order of the domains. */
export function differencesOf(before: TaxonomyContent, after: TaxonomyContent): readonly TaxonomyDifference[] {
  const old = new Map(before.domains.map((each) => [each.id, each]))
  const differences: TaxonomyDifference[] = []
  const add = (kind: TaxonomyDifference['kind'], id: string, more: Partial<TaxonomyDifference> = {}): void =>
    void differences.push({ kind, id, from: null, to: null, added: 0, removed: 0, ...more })
  for (const domain of after.domains) {
    const { id, parentId } = domain
    const former = old.get(id)
    if (former === undefined) {
      const isRestored = Object.hasOwn(before.successors, id)
      add(isRestored ? 'restored' : 'added', id, { to: parentId, added: Object.values(domain.examples).flat().length })
      continue
    }
    if (former.parentId !== parentId) add('moved', id, { from: former.parentId, to: parentId })
    else if (former.position !== domain.position && isReordered(domain, before, after)) add('reordered', id)
    for (const member of ['labels', 'descriptions', 'examples', 'words'] as const) {
      const [removed, added] = [
        missingIn(textsOf(former, member), textsOf(domain, member)),
        missingIn(textsOf(domain, member), textsOf(former, member)),
      ]
      if (removed + added > 0) add(member, id, { added, removed })
    }
  }
  const current = new Set(after.domains.map(({ id }) => id))
  for (const { id } of before.domains) if (!current.has(id)) add('retired', id, { to: after.successors[id] ?? null })
  for (const [id, successor] of Object.entries(after.successors)) {
    const former = before.successors[id]
    if (former !== undefined && former !== successor && !current.has(id)) add('redirected', id, { from: former, to: successor })
  }
  return differences
}

/** Returns whether a domain has another place among the siblings that both contents have. */
function isReordered({ id, parentId }: TaxonomyDomain, before: TaxonomyContent, after: TaxonomyContent): boolean {
  const [old, now] = [before, after].map(({ domains }) => domains.filter((each) => each.parentId === parentId))
  const placeIn = (domains: readonly TaxonomyDomain[] = [], others: readonly TaxonomyDomain[] = []): number => {
    const common = new Set(others.map((each) => each.id))
    const ordered = domains.filter((each) => common.has(each.id)).toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
    return ordered.findIndex((each) => each.id === id)
  }
  return placeIn(old, now) !== placeIn(now, old)
}

/** Returns the texts of a member, each with its language. */
function textsOf(domain: TaxonomyDomain, member: 'labels' | 'descriptions' | 'examples' | 'words'): readonly string[] {
  return Object.entries(domain[member]).flatMap(([lang, texts]) =>
    (typeof texts === 'string' ? (member === 'words' ? texts.split(' ') : [texts]) : [...texts]).map((text: string) => `${lang} ${text}`),
  )
}

function missingIn(texts: readonly string[], others: readonly string[]): number {
  const known = new Set(others)
  return texts.filter((text) => !known.has(text)).length
}

export interface MissingLabel {
  readonly id: string
  readonly languages: readonly string[]
}

/** Returns the languages of any label, and the domains without a label in one of them. */
export function missingLabels({ domains }: TaxonomyContent): {
  readonly languages: readonly string[]
  readonly missing: readonly MissingLabel[]
} {
  const languages = [...new Set(domains.flatMap(({ labels }) => Object.keys(labels)))].sort()
  const missing = domains.flatMap(({ id, labels }) => {
    const absent = languages.filter((lang) => labels[lang] === undefined)
    return absent.length === 0 ? [] : [{ id, languages: absent }]
  })
  return { languages, missing }
}
