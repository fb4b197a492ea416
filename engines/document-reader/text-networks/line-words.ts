import type { ReadWord } from '../page/printed-lines.ts'
import type { Rectangle } from '../page/rectangle.ts'
import type { RecognisedCharacter } from './ctc-decoding.ts'

/** Minimum gap between columns, in character widths, even without a detected blank. */
const columnGap = 2.4
/** Height of letters as a share of the grown region. */
const letterShare = 0.75

/** Splits a line into words at blanks and wide gaps. */
export function wordsOf(line: readonly RecognisedCharacter[], region: Rectangle): readonly ReadWord[] {
  const pitch = pitchOf(line)
  const words: RecognisedCharacter[][] = [[]]
  for (const [at, character] of line.entries()) {
    const before = line[at - 1]
    const isApart = before !== undefined && before.text !== ' ' && character.at - before.at > pitch * columnGap
    if (character.text === ' ' || isApart) words.push([])
    if (character.text !== ' ') words.at(-1)?.push(character)
  }
  return words.filter((word) => word.length > 0).map((word) => placed(word, pitch, region))
}

/** Returns the median distance between the centres of neighbouring characters. */
function pitchOf(line: readonly RecognisedCharacter[]): number {
  const steps = line.slice(1).map(({ at }, before) => at - (line[before]?.at ?? 0))
  return steps.sort((a, b) => a - b)[steps.length >> 1] ?? 1
}

function placed(word: readonly RecognisedCharacter[], pitch: number, { centre, width, height, angle }: Rectangle): ReadWord {
  const [first, last] = [word[0]?.at ?? 0, word.at(-1)?.at ?? 1]
  const [start, end] = [Math.max(0, first - pitch / 2), Math.min(1, last + pitch / 2)]
  const middle = ((start + end) / 2 - 0.5) * width
  const [along, tall] = [(end - start) * width, height * letterShare]
  const [x, y] = [centre.x + middle * Math.cos(angle), centre.y + middle * Math.sin(angle)]
  return {
    text: word.map(({ text }) => text).join(''),
    confidence: word.reduce((sum, { confidence }) => sum + confidence, 0) / word.length,
    box: { left: x - along / 2, top: y - tall / 2, width: along, height: tall },
  }
}
