/** A character and its score, 0 to 1. */
export interface Guess {
  readonly text: string
  readonly confidence: number
}

/** A character with its horizontal position in the line, from 0 (left end) to 1 (right end). */
export interface RecognisedCharacter extends Guess {
  readonly at: number
}

/** A character restricted to those of machine-readable zones, with the best letter and the best digit. */
export interface ZoneCharacter extends RecognisedCharacter {
  readonly letter: Guess
  readonly digit: Guess
}

/** Left to right. */
export interface RecognisedLine {
  readonly print: readonly RecognisedCharacter[]
  readonly zone: readonly ZoneCharacter[]
}

/** The output of the recogniser: the score of each class, 0 to 1, per step along the line. */
export interface Steps {
  readonly scores: Float32Array
  readonly count: number
}

/**
 * Decodes the most likely class of each step; equal consecutive steps are one character unless separated by a blank. @see Graves et al.,
 * "Connectionist Temporal Classification", 2006, 3.2 (best path decoding)
 */
export type Decode = (steps: Steps) => RecognisedLine

/** The blank is the first class. */
const blank = 0
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const digits = '0123456789'

/** @param characters - characters by class */
export function decoderOf(characters: readonly string[]): Decode {
  const placesOf = (text: string): readonly number[] =>
    [...text].flatMap((character) => (characters.includes(character) ? characters.indexOf(character) : []))
  const all = characters.map((_, at) => at)
  const [zoneLetters, zoneDigits] = [placesOf(letters), placesOf(digits)]
  const inZone = [blank, ...zoneLetters, ...zoneDigits, ...placesOf('<')]
  return (steps) => {
    const guess = (allowed: readonly number[], step: number): Guess => {
      const { place, score } = likeliest(steps.scores, step * characters.length, allowed)
      return { text: characters[place] ?? '', confidence: score }
    }
    const runs = (allowed: readonly number[]) => runsOf(steps, characters.length, allowed)
    const named = ({ place, confidence, from, to }: Run): RecognisedCharacter => {
      return { text: characters[place] ?? '', confidence, at: (from + to + 1) / 2 / steps.count }
    }
    return {
      print: runs(all).map(named),
      zone: runs(inZone).map((run) => ({ ...named(run), letter: guess(zoneLetters, run.peak), digit: guess(zoneDigits, run.peak) })),
    }
  }
}

/** Consecutive steps of one character. */
interface Run {
  readonly place: number
  readonly from: number
  to: number
  /** step with the highest score */
  peak: number
  confidence: number
}

function runsOf({ scores, count }: Steps, classes: number, allowed: readonly number[]): readonly Run[] {
  const runs: Run[] = []
  let before = blank
  for (let step = 0; step < count; step++) {
    const { place, score } = likeliest(scores, step * classes, allowed)
    const last = runs.at(-1)
    if (place !== blank && place === before && last !== undefined) {
      last.to = step
      if (score > last.confidence) [last.peak, last.confidence] = [step, score]
    } else if (place !== blank) runs.push({ place, from: step, to: step, peak: step, confidence: score })
    before = place
  }
  return runs
}

function likeliest(scores: Float32Array, from: number, allowed: readonly number[]): { place: number; score: number } {
  let [place, score] = [blank, -1]
  for (const one of allowed) {
    const value = scores[from + one] ?? 0
    if (value > score) [place, score] = [one, value]
  }
  return { place, score }
}
