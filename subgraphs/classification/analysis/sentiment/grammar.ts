import { z } from 'zod'
import { readData } from '../../../../foundation/files/data-file.ts'
import { fold } from '../../../../foundation/text/fold.ts'
import { foldedPattern, Pattern } from '../../data/pattern.ts'

/**
 * Grammar of a language that affects sentiment. Words and expressions are folded, with a space for every apostrophe and hyphen. The words
 * of a matching expression have no value of their own.
 */
export interface SentimentGrammar {
  /** words that negate what follows */
  readonly negations: ReadonlySet<string>
  /** opens a negation that one of `negations` closes (French `ne … pas`); the words between are negated as well */
  readonly opening: ReadonlySet<string>
  /** words of `negations` that negate only after one of `opening` or at the start of a clause */
  readonly notAlone: ReadonlySet<string>
  /** ends a negation */
  readonly exempt: ReadonlySet<string>
  /** negates a noun: the lack of something that is not bad is bad */
  readonly lack: RegExp
  readonly strengthening: ReadonlySet<string>
  readonly weakening: ReadonlySet<string>
  /** whether intensifiers follow the word that they modify */
  readonly degreeFollows: boolean
  /** the words after it count, those before hardly */
  readonly contrast: RegExp
  /** a concession up to the next mark hardly counts */
  readonly concession: RegExp
  /** states that something bad is over */
  readonly resolved: RegExp
  /** courtesy formulas of letters, which are polite regardless of content */
  readonly courtesy: RegExp
  /** a request or a proposal that does not describe a state */
  readonly asking: RegExp
  /** heading of a form or of a field */
  readonly heading: RegExp
  /** announces the time or place of an event, or a requirement */
  readonly notice: RegExp
  /** first person: not a notice */
  readonly ownVoice: RegExp
  /** praise that is ironic when the rest of the sentence is negative */
  readonly praise: ReadonlySet<string>
  /** matched everywhere: their expressions are global */
  readonly expressions: readonly (readonly [RegExp, number])[]
  /** clitics written together with a word; the first group may also precede a negation */
  readonly clitics?: { readonly any: RegExp; readonly conjunction: RegExp }
}

const Words = z.array(z.string().min(1)).transform((words): ReadonlySet<string> => new Set(words.map(fold)))
const once = Pattern.transform((pattern) => foldedPattern(pattern))
const everywhere = Pattern.transform((pattern) => foldedPattern(pattern, 'g'))
/** for languages without such a rule */
const never = /(?!)/u

const Grammar: z.ZodType<SentimentGrammar> = z.strictObject({
  negations: Words,
  opening: Words,
  notAlone: Words,
  exempt: Words,
  lack: once,
  strengthening: Words,
  weakening: Words,
  degreeFollows: z.boolean(),
  contrast: everywhere,
  concession: everywhere.default(/(?!)/gu),
  resolved: once.default(never),
  courtesy: everywhere,
  asking: once,
  heading: once,
  notice: once,
  ownVoice: once,
  praise: Words,
  expressions: z.array(
    z.strictObject({ value: z.number().min(-5).max(5), pattern: everywhere }).transform(({ value, pattern }) => [pattern, value] as const),
  ),
  clitics: z.strictObject({ any: once, conjunction: once }).exactOptional(),
})

const read = (lang: string): SentimentGrammar => readData(`subgraphs/classification/data/sentiment/grammar-${lang}.json`, Grammar)
const grammars: Readonly<Record<string, SentimentGrammar>> = { fr: read('fr'), en: read('en'), ar: read('ar') }

/** Returns undefined for a language with a lexicon only. */
export const grammarOf = (lang: string): SentimentGrammar | undefined => grammars[lang]
