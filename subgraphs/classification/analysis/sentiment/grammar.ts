import { z } from 'zod'
import { fold } from '../../../../engines/text/fold.ts'
import { readData } from '../../../../foundation/files/data-file.ts'
import { foldedPattern, Pattern } from '../../data/pattern.ts'

/**
 * How a language turns, weakens or asks, as far as it bears on sentiment. Words and expressions are folded, with a space for every apostrophe and
 * hyphen. An expression stands for the whole of what it matches: the words in it say nothing of their own.
 */
export interface SentimentGrammar {
  /** words that turn what follows into its opposite */
  readonly negations: ReadonlySet<string>
  /** opens a negation that one of `negations` closes (French `ne … pas`): what lies between is denied as well */
  readonly opening: ReadonlySet<string>
  /** words of `negations` that deny only after one of `opening`, or where a clause begins */
  readonly notAlone: ReadonlySet<string>
  /** what comes after is no longer denied */
  readonly exempt: ReadonlySet<string>
  /** a negation of a thing: where the thing is not bad, that it lacks is */
  readonly lack: RegExp
  readonly strengthening: ReadonlySet<string>
  readonly weakening: ReadonlySet<string>
  /** whether these stand after what they strengthen or weaken */
  readonly degreeFollows: boolean
  /** what follows counts, what came before hardly */
  readonly contrast: RegExp
  /** what is granted, up to the next mark, hardly counts */
  readonly concession: RegExp
  /** said of something bad, it is over */
  readonly mended: RegExp
  /** formulas of letters: polite whatever is meant */
  readonly courtesy: RegExp
  /** asks to be told or given something, or proposes something, and says nothing of how things are */
  readonly asking: RegExp
  /** heads a form or one of its fields */
  readonly heading: RegExp
  /** tells when or where something takes place, or what is required */
  readonly notice: RegExp
  /** the writer speaks of himself or his own: no notice */
  readonly ownVoice: RegExp
  /** praise that is not meant where the rest of the sentence is bad */
  readonly praise: ReadonlySet<string>
  /** found everywhere: their expressions are global */
  readonly expressions: readonly (readonly [RegExp, number])[]
  /** what is written together with a word and is none of it; the first group may stand before a negation too */
  readonly clitics?: { readonly any: RegExp; readonly conjunction: RegExp }
}

const Words = z.array(z.string().min(1)).transform((words): ReadonlySet<string> => new Set(words.map(fold)))
const once = Pattern.transform((pattern) => foldedPattern(pattern))
const everywhere = Pattern.transform((pattern) => foldedPattern(pattern, 'g'))
/** where a language has no such thing */
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
  mended: once.default(never),
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

/** Undefined for a language of which only words are known. */
export const grammarOf = (lang: string): SentimentGrammar | undefined => grammars[lang]
