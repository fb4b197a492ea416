import { type HashCountArrays, HashCounts } from './hash-counts.ts'

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

/** FNV-1a, 32 bits, as a signed number. @param from - the hash of what stands before */
function hashOn(from: number, text: string): number {
  let hash = from
  for (let index = 0; index < text.length; index++) hash = hashOnward(hash, text.charCodeAt(index))
  return hash
}
const hashOnward = (from: number, unit: number): number => Math.imul(from ^ unit, 16_777_619)
const nothingHashed = 2_166_136_261 | 0
const [ofWord, ofPair, ofFirst] = [hashOn(nothingHashed, 'w:'), hashOn(nothingHashed, 'p:'), hashOn(nothingHashed, 'first:')]

const wordWeight = 2
/** longest text that features are read from; what comes after says the same */
const maxWords = 400
const longestWord = 30
const [shortestPiece, longestPiece] = [3, 5]

/** What a text is made of: its words, pairs of neighbours, and the pieces of 3 to 5 letters of each word, by their hash, with how often. */
export function gramsOf(text: string): HashCounts {
  const grams = new HashCounts()
  let previous: string | undefined
  for (const word of wordsOf(text).slice(0, maxWords)) {
    if (stopWords.has(word)) continue
    grams.add(hashOn(ofWord, word), wordWeight)
    if (previous !== undefined) grams.add(hashOn(ofPair, `${previous} ${word}`), 1)
    previous = word
    addPieces(grams, word, 0.5)
  }
  return grams
}

/** What tells the tone: also the words that say nothing about the subject, which come first and next to each other, marks, and that there are numbers. */
export function toneGramsOf(text: string): HashCounts {
  const grams = new HashCounts()
  const words = (fold(text).match(/\p{L}+|\p{N}+|[?؟!]/gu) ?? []).slice(0, maxWords).map(tonal)
  let previous = '^'
  for (const word of words) {
    if (previous === '^') grams.add(hashOn(ofFirst, word), 1)
    grams.add(hashOn(ofWord, word), wordWeight)
    grams.add(hashOn(ofPair, `${previous} ${word}`), 1)
    previous = word
    if (word.length > 2) addPieces(grams, word, 0.6)
  }
  return grams
}

function tonal(word: string): string {
  if (/\p{N}/u.test(word)) return '#'
  return word === '؟' ? '?' : word.replace(clitics, '')
}

/** The pieces of 3 to 5 letters of a word with its bounds; a longer one is the one before and a letter. */
function addPieces(grams: HashCounts, word: string, weight: number): void {
  const bounded = `^${word.slice(0, longestWord)}$`
  for (let start = 0; start + shortestPiece <= bounded.length; start++) {
    let hash = nothingHashed
    for (let length = 1; length <= longestPiece && start + length <= bounded.length; length++) {
      hash = hashOnward(hash, bounded.charCodeAt(start + length - 1))
      if (length >= shortestPiece) grams.add(hash, weight)
    }
  }
}

/** What of a text is looked at, by what it is to tell. */
export const gramsBy = { subject: gramsOf, tone: toneGramsOf } as const
export type GramKind = keyof typeof gramsBy

/** How much a gram says: the fewer texts have it, the more (smoothed inverse document frequency). */
export class GramWeights {
  readonly texts: number
  /** how many of them have a gram */
  readonly having: HashCountArrays
  readonly #weights: HashCounts
  readonly #unheardOf: number

  constructor(texts: number, having: HashCountArrays) {
    const weightOf = (count: number): number => Math.log((1 + texts) / (1 + count)) + 1
    this.texts = texts
    this.having = having
    this.#weights = new HashCounts({ hashes: having.hashes, counts: having.counts.map((count) => (count === 0 ? 0 : weightOf(count))) })
    this.#unheardOf = weightOf(0)
  }

  static of(texts: readonly HashCounts[]): GramWeights {
    const having = new HashCounts()
    for (const grams of texts) grams.each((hash) => having.add(hash, 1))
    return new GramWeights(texts.length, { hashes: having.hashes, counts: having.counts })
  }

  of(hash: number): number {
    return this.#weights.get(hash) || this.#unheardOf
  }
}

/** A sparse vector of length 1: places in no order, and their values. Both empty for a text without words. */
export interface SparseVector {
  readonly places: Int32Array
  readonly values: Float32Array
}

/**
 * Hashes grams into so many places, signed, so that collisions cancel out on average.
 * @see Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", ICML 2009
 */
export class FeatureHasher {
  readonly #weights: GramWeights
  /** all 0 between two texts */
  readonly #sums: Float64Array
  readonly #touched: number[] = []

  constructor(weights: GramWeights, places: number) {
    this.#weights = weights
    this.#sums = new Float64Array(places)
  }

  features(grams: HashCounts): SparseVector {
    const [sums, touched] = [this.#sums, this.#touched]
    let last = 0
    grams.each((hash, count) => {
      const place = (hash >>> 0) % sums.length
      const sum = sums[place] ?? 0
      if (sum === 0) touched[last++] = place
      sums[place] = sum + (hash < 0 ? 1 : -1) * count * this.#weights.of(hash)
    })
    const [places, values] = [new Int32Array(last), new Float32Array(last)]
    let filled = 0
    let squares = 0
    for (let index = 0; index < last; index++) {
      const place = touched[index] ?? 0
      const sum = sums[place] ?? 0
      // signs may cancel out, and one that did may be touched again
      if (sum === 0) continue
      sums[place] = 0
      squares += sum * sum
      places[filled] = place
      values[filled++] = sum
    }
    const length = Math.sqrt(squares)
    for (let index = 0; index < filled; index++) values[index] = (values[index] ?? 0) / length
    return { places: places.subarray(0, filled), values: values.subarray(0, filled) }
  }
}
