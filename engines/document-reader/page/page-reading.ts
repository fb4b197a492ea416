import type { Box, DocumentText, PageQuality, TextLine } from '../document-reader.ts'
import type { MrzReading } from '../mrz/mrz-reading.ts'
import { cutSides, type Level } from './level.ts'

/** The result of one reader for a page. */
export interface PageReading {
  readonly level: Level
  readonly lines: readonly TextLine[]
  readonly confidence: number
  readonly quality: Omit<PageQuality, 'cutSides'>
  readonly mrz?: MrzReading | undefined
  /** rows of the machine-readable zone on the level page */
  readonly zone: readonly Box[]
}

export const maxLines = 200
/** Three times the words of a full passport page; comparison takes quadratic time. */
const maxWords = 600
/** Minimum share of ink below which a page is blank and not searched for text. */
export const minInk = 0.002

export function documentText({ level, lines, confidence, quality, mrz, zone }: PageReading): DocumentText {
  const { width, height, turn, degrees } = level
  const boxes = lines.flatMap(({ words }) =>
    words.filter((word) => word.confidence > 0.6 && /[\p{L}\p{N}]{2}/u.test(word.text)).map(({ box }) => box),
  )
  return {
    width,
    height,
    rotation: turn,
    skew: Math.round(degrees * 10) / 10,
    lines: firstWords(lines),
    confidence,
    ...(mrz && { mrz }),
    quality: { ...quality, cutSides: cutSides(level, [...boxes, ...zone]) },
  }
}

function firstWords(lines: readonly TextLine[]): readonly TextLine[] {
  const distinct: TextLine[] = []
  let words = 0
  for (const line of lines) {
    words += line.words.length
    if (words > maxWords) break
    distinct.push(line)
  }
  return distinct
}
