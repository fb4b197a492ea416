import { z } from 'zod'
import { fold } from '../../../engines/text/fold.ts'
import { readData } from '../../../foundation/files/data-file.ts'
import { foldedPattern, Pattern } from '../data/pattern.ts'

const lexicalFlags = ['insult', 'threat', 'hate'] as const
export type ToxicityFlag = (typeof lexicalFlags)[number] | 'shouting'

export interface ToxicityView {
  /** 0 to 1 */
  readonly score: number
  readonly flags: readonly ToxicityFlag[]
}

const Expressions = z.array(z.string().min(1)).min(1)
const ToxicWords = z.strictObject({
  /** of whom it is hateful to wish them dead: "mort au(x)" without them tells where somebody died */
  people: Expressions,
  /** what somebody else has said: "traité de …", "called me a …" */
  reports: Expressions,
  /** only what is meant to hurt people; hard words about a state of affairs are what citizens are here for */
  lexicon: z.array(
    z.strictObject({
      flag: z.enum(lexicalFlags),
      weight: z.number().gt(0).lt(1),
      /** the only language in which these words hurt; absent: in any */
      lang: z.string().exactOptional(),
      /** whole words; {people} is any of those above, {opening} the beginning of a sentence */
      expressions: Expressions,
    }),
  ),
})

const words = readData('subgraphs/classification/data/toxicity.json', ToxicWords)
/** where a sentence begins: a wish there, what has happened elsewhere */
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
 * A lexicon of insults, threats and hatred in French, English and Arabic. What is found is flagged for people to judge, never removed.
 * @param lang - of the text: some words hurt in one language alone
 */
export function toxicityOf(text: string, lang: string): ToxicityView {
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
