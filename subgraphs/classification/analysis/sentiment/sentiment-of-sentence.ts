import { fold } from '../../../../foundation/text/fold.ts'
import type { SentimentGrammar } from './grammar.ts'
import type { Lexicon } from './lexicon.ts'
import { type LexicalSentiment, sentimentOfValues } from './sentiment-of-values.ts'

/** A text for the rules: folded, with a space for each apostrophe and hyphen, without courtesy formulas. */
export interface ReadSentence {
  readonly plain: string
  /** the conclusion: after the last "but", without concessions */
  readonly point: string
  readonly asks: boolean
  readonly announces: boolean
}

export function readSentence(text: string, grammar: SentimentGrammar): ReadSentence {
  const folded = fold(text.slice(0, longest))
    .replace(/œ/g, 'oe')
    .replace(/[’'`´-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const plain = folded.replace(grammar.courtesy, ' ').replace(/\s+/g, ' ').trim()
  const courteous = plain !== folded
  const granted = plain.replace(grammar.concession, ' ').trim()
  const last = [...granted.matchAll(grammar.contrast)].at(-1)
  const after = last === undefined ? granted : granted.slice(last.index + last[0].length).trim()
  return {
    plain,
    point: wordsIn(after) >= minPoint ? after : wordsIn(granted) >= minPoint ? granted : plain,
    asks: grammar.asking.test(plain) || (courteous && !/[!]/.test(plain)),
    announces: (grammar.notice.test(plain) || grammar.heading.test(plain)) && !grammar.ownVoice.test(plain),
  }
}

/** maximum of letters; the rest does not change the result */
const longest = 4000
const minPoint = 2
const wordsIn = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0

/** reach of a negation in words */
const reach = 4
/** maximum distance of a resolved problem in words */
const resolvedReach = 4
const beside = 0.3
const lackValue = -1.5
const unfulfilled = -1
const denied = -0.7

interface ScoredWord {
  readonly word: string
  /** a mark that ends a clause */
  readonly ends: boolean
  /** an expression with a value of its own */
  readonly fixed: boolean
  value: number
  /** the value is final */
  settled: boolean
}

/** Computes the lexical sentiment of a text with negation, intensification, contrast and clause ends. */
export function sentimentOfSentence(
  { plain, point, asks, announces }: ReadSentence,
  lexicon: Lexicon,
  grammar: SentimentGrammar,
): LexicalSentiment {
  const main = scoredWords(point, lexicon, grammar)
  const before = plain === point ? [] : scoredWords(plain.replace(point, ' '), lexicon, grammar)
  const values = [...before.map(({ value }) => value * beside), ...main.map(({ value }) => value)]
  // an announced cut is news, not a complaint, and a free course is not praise
  const sentiment = sentimentOfValues(announces ? values.map((value) => (value < 2 ? value * beside : value)) : values)
  const unsettled = main.filter(({ settled }) => !settled)
  const rest = unsettled.map(({ word }) => word)
  return { ...sentiment, rest: rest.join(' '), unsettled: unsettled.length / Math.max(1, main.length), matterOfFact: asks || announces }
}

function scoredWords(text: string, lexicon: Lexicon, grammar: SentimentGrammar): readonly ScoredWord[] {
  const all = read(text, lexicon, grammar)
  turn(all, grammar)
  resolveProblems(all, grammar)
  doubt(all, grammar)
  return all
}

function read(text: string, lexicon: Lexicon, { expressions, clitics }: SentimentGrammar): ScoredWord[] {
  const marks: { readonly words: string; readonly value: number }[] = []
  const valued = (word: string): number => lexicon.valueOf(word) || (clitics ? lexicon.valueOf(word.replace(clitics.any, '')) : 0)
  let marked = text
  for (const [pattern, value] of expressions)
    marked = marked.replace(pattern, (words) => ` =${marks.push({ words: words.trim(), value }) - 1} `)
  return (marked.match(/=\d+|[\p{L}\p{N}]+|[.,;:!?…()،؛؟]/gu) ?? []).map((word) => {
    const expression = word.startsWith('=') ? marks[Number(word.slice(1))] : undefined
    if (expression === undefined) return { word, ends: /^[.,;:!?…()،؛؟]$/u.test(word), value: valued(word), fixed: false, settled: false }
    return { word: expression.words, ends: false, value: expression.value, fixed: true, settled: expression.value > 0 }
  })
}

function turn(scoredWords: ScoredWord[], grammar: SentimentGrammar): void {
  const turns = new Map<ScoredWord, number>()
  const lacks: ScoredWord[] = []
  for (const [at, one] of scoredWords.entries()) {
    if (!denies(one.word, grammar)) continue
    const opened = scoredWords.slice(Math.max(0, at - reach), at).findLastIndex(({ word }) => grammar.opening.has(word))
    const from = opened < 0 ? at + 1 : Math.max(0, at - reach) + opened + 1
    const begins = at === 0 || scoredWords[at - 1]?.ends === true
    if (grammar.notAlone.has(one.word) && opened < 0 && !begins) continue
    one.value = 0
    const rest = scoredWords.slice(at + 1)
    const end = rest.findIndex(({ ends, word }) => ends || grammar.exempt.has(word))
    const scope = [...scoredWords.slice(from, at), ...rest.slice(0, Math.min(reach, end < 0 ? reach : end))]
    for (const each of scope) if (!each.fixed) turns.set(each, (turns.get(each) ?? 1) * denied)
    const phrase = [one, ...rest.slice(0, 3)].map(({ word }) => word).join(' ')
    const turned = scope.filter(({ value, fixed }) => value !== 0 && !fixed)
    if (turned.length > 0) {
      for (const each of turned) each.settled = each.value < 0
      one.settled = turned.every(({ value }) => value < 0)
      continue
    }
    if (grammar.lack.test(`${phrase} `)) lacks.push(one)
    else if (opened >= 0 || one.word === 't' || one.word === 'not') one.value = unfulfilled
  }
  for (const lack of lacks) lack.value = lackValue
  for (const [at, one] of scoredWords.entries()) {
    if (one.value === 0 || one.fixed) continue
    const degree = grammar.degreeFollows ? scoredWords[at + 1]?.word : scoredWords[at - 1]?.word
    const strength = grammar.strengthening.has(degree ?? '') ? 1.3 : grammar.weakening.has(degree ?? '') ? 0.6 : 1
    one.value *= strength * (turns.get(one) ?? 1)
  }
}

const denies = (word: string, { negations, clitics }: SentimentGrammar): boolean =>
  negations.has(word) || (clitics !== undefined && negations.has(word.replace(clitics.conjunction, '')))

/** "Leak repaired": the bad state is over. */
function resolveProblems(scoredWords: ScoredWord[], { resolved }: SentimentGrammar): void {
  for (const [at, one] of scoredWords.entries()) {
    if (one.value < 0 || !resolved.test(one.word)) continue
    for (const before of scoredWords.slice(Math.max(0, at - resolvedReach), at)) if (before.value < 0) before.value = 0
    one.value = Math.max(one.value, 1.5)
  }
}

/** "Well done, three weeks in the dark": opening praise is ironic when the rest is negative. */
function doubt(scoredWords: ScoredWord[], { praise }: SentimentGrammar): void {
  const [first, ...others] = scoredWords.filter(({ value }) => value !== 0)
  if (first === undefined || first.value < 0 || !praise.has(first.word)) return
  const rest = others.reduce((sum, { value }) => sum + value, 0)
  if (rest <= -1 && others.every(({ value }) => value < 0)) first.value = -first.value / 2
}
