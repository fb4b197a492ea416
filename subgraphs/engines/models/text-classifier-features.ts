/** Words that say nothing about the subject; folded as `wordsOf` folds. */
const stopWords = new Set(
  (
    'le la les de des du un une et est sont en au aux il elle ils elles on y que qui pour pas plus ne nous vous je tu mon ma mes notre nos sur dans par avec sans ce cette ces ' +
    'ont ete etre avoir tres trop depuis faut the of is are was were in to and a an it its this that these we our my your they their for on at with no not has have had be been ' +
    'too very so by from as when there more because out never always everything every all still some any what who which than then up down one two will would ' +
    'can could should do does did after before been only also just into over here where how am me he she them his her ' +
    'quand plus jamais toujours tout toute tous toutes encore rien aucun aucune chaque ici leur leurs son sa ses comme mais ou si car donc fait faire deux trois ' +
    'el los las una unos y es son con por para del que em o os as um uma do da dos das no na nao ' +
    'في من على الى عن مع هذا هذه ذلك التي الذي ان لا ما لم لن هو هي كل قد بعد قبل حتى او ثم نحن انا كان يكون جدا بدون بلا عند منذ دائما ابدا طوال اكثر كبيره هنا هناك كانت فقط ايضا حين'
  ).split(' '),
)

/** Whether a folded word says nothing by itself. */
export const isStopWord = (word: string): boolean => stopWords.has(word)

/** Arabic articles and conjunctions that are written together with a word; longest first. */
const clitics = /^(?:وبال|وال|فال|بال|كال|ولل|لل|ال|و(?=\p{L}{4}))/u

/** Lower case, without accents or vowel signs; the shapes of alef, ya and ta marbuta that writers mix up are one. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .toLowerCase()
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
}

/** The words of a text, folded, Arabic ones without clitics. */
export function wordsOf(text: string): readonly string[] {
  return (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(clitics, ''))
}

/** FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619)
  return hash >>> 0
}

const wordWeight = 2
/** longest text that features are read from; what comes after says the same */
const mostWords = 400

/** What a text is made of: its words, pairs of neighbours, and the pieces of 3 to 5 letters of each word, with how often. */
export function gramsOf(text: string): ReadonlyMap<string, number> {
  const grams = new Map<string, number>()
  const add = (gram: string, weight: number): void => void grams.set(gram, (grams.get(gram) ?? 0) + weight)
  let previous: string | undefined
  for (const word of wordsOf(text).slice(0, mostWords)) {
    if (stopWords.has(word)) continue
    add(`w:${word}`, wordWeight)
    if (previous !== undefined) add(`p:${previous} ${word}`, 1)
    previous = word
    addPieces(word, 0.5, add)
  }
  return grams
}

/** What tells the tone: also the words that say nothing about the subject, which come first and next to each other, marks, and that there are numbers. */
export function toneGramsOf(text: string): ReadonlyMap<string, number> {
  const grams = new Map<string, number>()
  const add = (gram: string, weight: number): void => void grams.set(gram, (grams.get(gram) ?? 0) + weight)
  const words = (fold(text).match(/\p{L}+|\p{N}+|[?؟!]/gu) ?? []).slice(0, mostWords).map(tonal)
  let previous = '^'
  for (const word of words) {
    if (previous === '^') add(`first:${word}`, 1)
    add(`w:${word}`, wordWeight)
    add(`p:${previous} ${word}`, 1)
    previous = word
    if (word.length > 2) addPieces(word, 0.6, add)
  }
  return grams
}

function tonal(word: string): string {
  if (/\p{N}/u.test(word)) return '#'
  return word === '؟' ? '?' : word.replace(clitics, '')
}

/** The pieces of 3 to 5 letters of a word with its bounds. */
function addPieces(word: string, weight: number, add: (gram: string, weight: number) => void): void {
  const bounded = `^${word.slice(0, 30)}$`
  for (let length = 3; length <= 5; length++)
    for (let start = 0; start + length <= bounded.length; start++) add(bounded.slice(start, start + length), weight)
}

/** What of a text is looked at, by what it is to tell. */
export const gramsBy = { subject: gramsOf, tone: toneGramsOf } as const
export type GramKind = keyof typeof gramsBy

/** How much a gram says: the fewer texts have it, the more (smoothed inverse document frequency). Grams are told apart by their hash. */
export class GramWeights {
  readonly texts: number
  /** how many of them have a gram, by its hash */
  readonly having: ReadonlyMap<number, number>
  readonly #weights: ReadonlyMap<number, number>
  readonly #unheardOf: number

  constructor(texts: number, having: ReadonlyMap<number, number>) {
    const weightOf = (count: number): number => Math.log((1 + texts) / (1 + count)) + 1
    this.texts = texts
    this.having = having
    this.#weights = new Map([...having].map(([hash, count]) => [hash, weightOf(count)]))
    this.#unheardOf = weightOf(0)
  }

  static of(texts: readonly ReadonlyMap<string, number>[]): GramWeights {
    const having = new Map<number, number>()
    for (const grams of texts)
      for (const gram of grams.keys()) {
        const hash = hashOf(gram)
        having.set(hash, (having.get(hash) ?? 0) + 1)
      }
    return new GramWeights(texts.length, having)
  }

  of(hash: number): number {
    return this.#weights.get(hash) ?? this.#unheardOf
  }
}

/** A sparse vector of length 1: places in ascending order of first use, and their values. Both empty for a text without words. */
export interface SparseVector {
  readonly places: readonly number[]
  readonly values: readonly number[]
}

/**
 * Grams hashed into so many places, signed, so that collisions cancel out on average.
 * @see Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", ICML 2009
 */
export function hashedFeatures(grams: ReadonlyMap<string, number>, weights: GramWeights, places: number): SparseVector {
  const values = new Map<number, number>()
  for (const [gram, count] of grams) {
    const hash = hashOf(gram)
    const place = hash % places
    values.set(place, (values.get(place) ?? 0) + (hash >>> 31 === 1 ? 1 : -1) * count * weights.of(hash))
  }
  const length = Math.hypot(...values.values()) || 1
  return { places: [...values.keys()], values: [...values.values()].map((value) => value / length) }
}
