import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { arabicSkeleton, vowelsAgree, withJoinedArticles } from './arabic-names.ts'
import { isArabic, toLatin } from './transliteration.ts'

/** How two names agree, or that they do not. */
export type NameAgreement =
  | 'exact'
  | 'extra_names'
  | 'particles'
  | 'order'
  | 'initials'
  | 'truncated'
  | 'transliterated'
  | 'similar'
  | 'different'

export interface NameMatch {
  /** 0 to 1 */
  readonly similarity: number
  readonly how: NameAgreement
}

export interface NameRule {
  /** the number of given names may differ */
  readonly part: 'surname' | 'given'
  /** the document's name was truncated at the end of its field */
  readonly cut?: boolean
}

const particles = new Set(
  readData('subgraphs/verification/document/data/name-particles.json', z.array(z.string().regex(/^[A-Z]+$/, 'must be capital letters'))),
)

/** Returns the edit distance (insertions, deletions, replacements) of two texts. */
export function editDistance(a: string, b: string): number {
  const row = Uint32Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1)
    let [before, left] = [i - 1, i]
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0
      left = Math.min(before + (letter === b.charCodeAt(j - 1) ? 0 : 1), above + 1, left + 1)
      row[j] = left
      before = above
    }
  }
  return row[b.length] ?? 0
}

/** Returns 1 - edits / length of the longer text; 0 for two empty texts. */
export function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length)
  return longer === 0 ? 0 : 1 - editDistance(a, b) / longer
}

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')
const joined = (parts: readonly string[]): string => parts.join('')
const sorted = (parts: readonly string[]): string => [...parts].sort().join(' ')

/** Returns whether the words of `cut`, possibly shortened, are the first words of `whole`; the last may be missing. */
function isCutOf(cut: readonly string[], whole: readonly string[]): boolean {
  if (cut.length === 0) return false
  if (joined(whole).startsWith(joined(cut))) return true
  return cut.length <= whole.length && cut.every((word, at) => whole[at]?.startsWith(word))
}

function agreement(declared: readonly string[], document: readonly string[], rule: NameRule): NameMatch {
  const [left, right] = [joined(declared), joined(document)]
  if (left === '' || right === '') return { similarity: 0, how: 'different' }
  if (left === right) return { similarity: 1, how: 'exact' }
  if (sorted(declared) === sorted(document)) return { similarity: 1, how: 'order' }
  if (rule.cut && isCutOf(document, declared)) return { similarity: 1, how: 'truncated' }
  const core = (parts: readonly string[]): string[] => parts.filter((part) => !particles.has(part))
  const [declaredCore, documentCore] = [core(declared), core(document)]
  if (declaredCore.length > 0 && sorted(declaredCore) === sorted(documentCore)) return { similarity: 0.98, how: 'particles' }
  if (rule.part === 'given') {
    const [few, many] = declared.length <= document.length ? [declared, document] : [document, declared]
    if (joined(few).length >= 2 && few.every((part) => many.includes(part))) return { similarity: 0.97, how: 'extra_names' }
    const initials = few.every((part, at) => part === many[at] || (part.length === 1 && many[at]?.startsWith(part)))
    if (initials && few.some((part) => part.length > 1)) return { similarity: 0.95, how: 'initials' }
    // the first given name is the one in use; its similarity is measured alone
    const first = similarity(few[0] ?? '', many[0] ?? '')
    const closest = Math.max(similarity(left, right), few.length < many.length ? first : 0)
    return { similarity: closest, how: closest >= 0.6 ? 'similar' : 'different' }
  }
  const whole = Math.max(similarity(left, right), similarity(sorted(declared), sorted(document)))
  // one of two surnames (without a married or mother's name) is a similarity, not an agreement
  const shared = declaredCore.some((part) => part.length > 2 && documentCore.includes(part)) ? 0.8 : 0
  const closest = Math.max(whole, shared)
  return { similarity: closest, how: closest >= 0.6 ? 'similar' : 'different' }
}

function arabicAgreement(declared: string, document: string): NameMatch {
  const [left, right] = [withJoinedArticles(declared), withJoinedArticles(document)]
  const separate = skeletonAgreement(declared, document)
  return left === declared && right === document ? separate : best([separate, skeletonAgreement(left, right)])
}

function skeletonAgreement(declared: string, document: string): NameMatch {
  const [left, right] = [arabicSkeleton(declared), arabicSkeleton(document)]
  // a skeleton of one consonant is not significant
  if (left.length < 2 || right.length < 2) return { similarity: left === right && left !== '' ? 0.8 : 0, how: 'similar' }
  if (left === right) {
    const [arabic, latin] = isArabic(declared) ? [declared, document] : [document, declared]
    // several names share few consonants
    return left.length >= 4 || vowelsAgree(arabic, latin)
      ? { similarity: 0.96, how: 'transliterated' }
      : { similarity: 0.8, how: 'similar' }
  }
  const whole = similarity(left, right)
  const inside = left.length >= 3 && right.startsWith(left) ? 0.9 : 0
  const closest = Math.max(whole, inside) * 0.96
  return { similarity: closest, how: closest >= 0.6 ? 'similar' : 'different' }
}

/** maximum length of a name on a document */
const maxCharacters = 200
const maxWords = 20

/** Returns the declared name; empty when it is too long, because the cost is the product of both lengths. */
export function comparableName(declared: string): string {
  const name = declared.trim()
  return name.length > maxCharacters || name.split(/\s+/).length > maxWords ? '' : declared
}

const latinSpellings = (name: string): ReadonlySet<string> => new Set([toLatin(name, 'bare'), toLatin(name, 'wide')])

/** Digits as which letters are misread; names contain no digits, but may be beside a number. */
const letterOfDigit: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 2: 'Z', 4: 'A', 5: 'S', 6: 'G', 7: 'T', 8: 'B' }
const digitAmongLetters = /(?<=\p{L}{2})[0124-8](?=\p{L})|(?<=\p{L}{3})[0124-8](?![\p{L}\d])/gu
const withoutDigits = (name: string): string => name.replace(digitAmongLetters, (digit) => letterOfDigit[digit] ?? digit)

/** similarity of names that differ only in O and Q, which readers confuse and no two names differ in */
const misreadSimilarity = 0.95
const withoutQ = (name: string): string => name.replace(/Q/g, 'O')

function agreementAsRead(declared: string, document: string, rule: NameRule): NameMatch {
  const match = agreement(words(declared), words(document), rule)
  if (match.similarity >= misreadSimilarity || /Q/.test(declared) === /Q/.test(document)) return match
  const alike = agreement(words(withoutQ(declared)), words(withoutQ(document)), rule)
  return alike.similarity > match.similarity ? { similarity: Math.min(alike.similarity, misreadSimilarity), how: 'similar' } : match
}

/**
 * Compares a declared name with a name of a document. Ignores accents, case, hyphens, apostrophes and spaces; allows for particles, order,
 * extra given names, initials, truncation, and digits or a Q misread for letters; compares Arabic script by consonants and written vowels.
 */
export function matchName(declared: string, read: string, rule: NameRule): NameMatch {
  const document = withoutDigits(read)
  const left = latinSpellings(declared)
  // NXX and UXX are the standard's other spellings of Ñ and Ü
  const right = new Set([...latinSpellings(document), toLatin(document).replace(/([NU])XX/g, '$1')])
  const candidates = [...left].flatMap((one) => [...right].map((other) => agreementAsRead(one, other, rule)))
  if (isArabic(declared) !== isArabic(document)) candidates.push(arabicAgreement(declared, document))
  return best(candidates)
}

/** Returns the most similar match; of equal ones the first. */
export function best(matches: readonly NameMatch[]): NameMatch {
  return matches.reduce((top, match) => (match.similarity > top.similarity ? match : top), { similarity: 0, how: 'different' } as NameMatch)
}
