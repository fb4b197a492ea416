import { z } from 'zod'
import { fold } from '../../../foundation/text/fold.ts'

/**
 * A pattern in a data file: a regular expression; alternatives, each of which may be a pattern, with a prefix and a suffix; or whole words.
 * Letters are folded when the pattern is read, like the texts.
 */
export type Pattern =
  | string
  | { readonly wholeWords: readonly string[] }
  | { readonly before?: string | undefined; readonly anyOf: readonly Pattern[]; readonly after?: string | undefined }

const Part = z.string().min(1)
const Alternatives: z.ZodType<Pattern> = z.union([
  Part,
  z.strictObject({ wholeWords: z.array(Part).min(1) }),
  z.strictObject({
    before: Part.optional(),
    get anyOf() {
      return z.array(Alternatives).min(1)
    },
    after: Part.optional(),
  }),
])

export const Pattern = Alternatives.refine(isRegular, 'must be a regular expression')

/** Compiles a pattern for folded text. @param flags - in addition to `u` */
// linear: patterns over folded text are bounded; hostile-text.test.ts measures them
export const foldedPattern = (pattern: Pattern, flags = ''): RegExp => new RegExp(foldSource(sourceOf(pattern)), `u${flags}`)

/** Matches any of these as whole words. */
export const wholeWords = (words: readonly string[]): string => `(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`

function sourceOf(pattern: Pattern): string {
  if (typeof pattern === 'string') return pattern
  if ('wholeWords' in pattern) return wholeWords(pattern.wholeWords)
  const { before = '', anyOf, after = '' } = pattern
  return `${before}(?:${anyOf.map(sourceOf).join('|')})${after}`
}

/** Folds everything except escapes, some of which contain capitals. */
const foldSource = (source: string): string =>
  source
    .split(/(\\[pP]\{[^}]*\}|\\.)/u)
    .map((part) => (part.startsWith('\\') ? part : fold(part)))
    .join('')

function isRegular(pattern: Pattern): boolean {
  try {
    foldedPattern(pattern)
    return true
  } catch {
    return false
  }
}
