import { z } from 'zod'
import { fold } from '../../../engines/text/fold.ts'

/**
 * A pattern as a linguist writes it: a regular expression; alternatives, of which each may be a pattern itself, with what stands before and
 * after all of them; or alternatives that are whole words. Letters are folded when they are read, as texts are: write them as is usual.
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

/** The regular expression of a pattern, over folded text. @param flags - beside `u` */
// linear: patterns of linguists over folded text, bounded; hostile-text.test.ts measures them
export const foldedPattern = (pattern: Pattern, flags = ''): RegExp => new RegExp(foldSource(sourceOf(pattern)), `u${flags}`)

/** Any of these, as whole words. */
export const wholeWords = (words: readonly string[]): string => `(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`

function sourceOf(pattern: Pattern): string {
  if (typeof pattern === 'string') return pattern
  if ('wholeWords' in pattern) return wholeWords(pattern.wholeWords)
  const { before = '', anyOf, after = '' } = pattern
  return `${before}(?:${anyOf.map(sourceOf).join('|')})${after}`
}

/** Folds all but escapes, of which some have capitals. */
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
