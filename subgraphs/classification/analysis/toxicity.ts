import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { fold } from '../../../foundation/text/fold.ts'
import { foldedPattern, Pattern } from '../data/pattern.ts'

const lexicalFlags = ['insult', 'threat', 'hate'] as const
export type ToxicityFlag = (typeof lexicalFlags)[number] | 'shouting'

export interface ToxicityPrediction {
  /** 0 to 1 */
  readonly score: number
  readonly flags: readonly ToxicityFlag[]
}

const Expressions = z.array(z.string().min(1)).min(1)
const ToxicWords = z.strictObject({
  /** groups that a death wish targets: "mort au(x)" without them reports a death */
  people: Expressions,
  /** reported speech: "traité de …", "called me a …" */
  reports: Expressions,
  /** only words against people; harsh words about conditions are legitimate */
  lexicon: z.array(
    z.strictObject({
      flag: z.enum(lexicalFlags),
      weight: z.number().gt(0).lt(1),
      /** the only language in which the words are harmful; absent: any */
      lang: z.string().exactOptional(),
      /** whole words; {people} is any of those above, {opening} the start of a sentence */
      expressions: Expressions,
    }),
  ),
})

const words = readData('subgraphs/classification/data/toxicity.json', ToxicWords)
/** start of a sentence: a wish there, a report elsewhere */
const opening = '(?<=(?:^|[.!?؟:])\\s{0,2})'
const lexicon = words.lexicon.map(({ expressions, ...entry }) => ({
  ...entry,
  pattern: foldedPattern(
    Pattern.parse({
      wholeWords: expressions.map((each) => each.replaceAll('{people}', words.people.join('|')).replaceAll('{opening}', opening)),
    }),
    'g',
  ),
}))
const reported = foldedPattern({ before: '(?<!\\p{L})', anyOf: words.reports, after: '\\p{L}+(?: \\p{L}+)?' }, 'g')
const shoutedLetters = 20
const shoutedShare = 0.8

/**
 * Finds insults, threats and hate speech in French, English and Arabic with a lexicon. Matches are flagged for review, never removed.
 * @param lang - language of the text: some words are harmful in one language only
 */
export function toxicityOf(text: string, lang: string): ToxicityPrediction {
  const folded = fold(text).replace(reported, ' ')
  const flags = new Set<ToxicityFlag>()
  let innocence = 1
  for (const each of lexicon) {
    if (each.lang !== undefined && each.lang !== lang) continue
    const hits = folded.match(each.pattern)?.length ?? 0
    if (hits === 0) continue
    flags.add(each.flag)
    innocence *= (1 - each.weight) ** Math.min(hits, 3)
  }
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0
  if (letters >= shoutedLetters && capitals / letters > shoutedShare) {
    flags.add('shouting')
    innocence *= 0.85
  }
  return { score: Math.round((1 - innocence) * 1000) / 1000, flags: [...flags] }
}
