import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { damage } from '../../../demonstration/capture/capture.ts'
import { renderPng, textLine } from '../../../demonstration/drawing/drawing.ts'
import type { DocumentReader } from '../../../engines/document-reader/document-reader.ts'
import { languageFile } from '../../../engines/document-reader/text-engine/text-language-data.ts'
import { threadedDocumentReader } from '../../../engines/document-reader/worker/threaded-document-reader.ts'
import { silentLog } from '../../../foundation/log.ts'
import { bareArabic } from '../../../subgraphs/verification/document/transliteration.ts'

/** Reading takes seconds on a busy machine. */
const patient = 120_000
const { signal } = new AbortController()

function isInstalled(): boolean {
  try {
    languageFile('ara')
    return true
  } catch {
    return false
  }
}

const printed = ['بطاقة التعريف الوطنية', 'محمد الأمين ولد أحمد', 'فاطمة بنت سيدي']

/** Draws a card with names in Arabic script beside print in Latin letters, as PNG. */
function drawCard(): Promise<Buffer> {
  const arabic = printed.map((line, at) => textLine(line, { x: 30, y: 12 + 12 * at, size: 4.5 }))
  const latin = [textLine('REPUBLIQUE ISLAMIQUE', { x: 5, y: 45, size: 3 }), textLine('DATE: 03.08.1996', { x: 5, y: 50, size: 3 })]
  return renderPng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="85.6" height="54"><path d="M0,0H86V54H0Z" fill="#e8efe0"/>${[...arabic, ...latin].join('')}</svg>`,
    1000,
  )
}

describe('document reader: Arabic script', { timeout: patient }, () => {
  const reader: DocumentReader = threadedDocumentReader({ threads: 1, executionProviders: ['cpu'], timeoutMs: patient, log: silentLog })

  beforeAll(() => reader.start(signal))
  afterAll(() => reader.stop())

  it('is read only in a thorough reading, in its own order', async ({ skip }) => {
    skip(!isInstalled(), 'the package @tesseract.js-data/ara is not installed')
    const card = await damage(await drawCard(), 'scan')
    const thorough = await reader.readDocument(card, signal, 'thorough')
    const lines = thorough.lines.map(({ text }) => text)
    // one word in twenty is misread; the hamza of a letter is the most frequent loss
    const words = lines.map(bareArabic).join(' ').split(' ')
    const expected = printed.map(bareArabic).join(' ').split(' ')
    expect(expected.filter((word) => words.includes(word)).length).toBeGreaterThanOrEqual(expected.length - 1)
    expect(lines).toContain('بطاقة التعريف الوطنية')
    expect(lines).toContain('فاطمة بنت سيدي')
    expect(lines.join('\n')).toContain('03.08.1996')
    const usual = await reader.readDocument(card, signal)
    expect(usual.lines.some(({ text }) => /\p{Script=Arabic}/u.test(text))).toBe(false)
  })
})
