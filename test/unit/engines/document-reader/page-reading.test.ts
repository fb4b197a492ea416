import { expect, it } from 'vitest'
import { levelled } from '../../../../engines/document-reader/page/level.ts'
import { documentText } from '../../../../engines/document-reader/page/page-reading.ts'

const level = levelled({ width: 1000, height: 1400, data: new Uint8Array(1_400_000) }, 0, 0)

/** Returns lines of `words` words each. */
const linesOf = (lines: number, words: number) =>
  Array.from({ length: lines }, (_, row) => {
    const box = { left: 10, top: 20 + row * 6, width: 900, height: 5 }
    const each = Array.from({ length: words }, (_, at) => ({ text: 'NOM', confidence: 0.9, box: { ...box, left: 10 + at * 6, width: 5 } }))
    return { text: each.map(({ text }) => text).join(' '), confidence: 0.9, box, words: each }
  })

const lineCount = (lines: number, words: number) =>
  documentText({
    level,
    lines: linesOf(lines, words),
    confidence: 0.9,
    quality: { sharpness: 9000, brightness: 0.8, glare: 0, ink: 0.2 },
    zone: [],
  }).lines.length

it('returns at most 60 lines and as few words as a document can have from a book page', () => {
  expect(lineCount(60, 10)).toBe(60)
  expect(lineCount(200, 10)).toBe(60)
  expect(lineCount(200, 150)).toBe(4)
})
