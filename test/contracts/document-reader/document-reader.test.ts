import { randomBytes } from 'node:crypto'
import { toBuffer } from 'bwip-js/node'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capture, damage } from '../../../demonstration/capture/capture.ts'
import { generateHolder } from '../../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../../demonstration/documents/identity-card.ts'
import { linesFrench, linesTd1, linesTd3 } from '../../../demonstration/documents/machine-readable-lines.ts'
import { drawPassport } from '../../../demonstration/documents/passport.ts'
import { renderPng, textLine } from '../../../demonstration/drawing/drawing.ts'
import type { DocumentReader, DocumentText } from '../../../engines/document-reader/document-reader.ts'
import { threadedDocumentReader } from '../../../engines/document-reader/worker/threaded-document-reader.ts'
import { silentLog } from '../../../foundation/log.ts'
import { printings } from '../../evaluate/fonts.ts'
import { withBarcode } from '../../support/samples/printed-barcode.ts'

/** The contract of a port with one implementation. Reading takes seconds on a busy machine. */
const patient = 60_000

const printedLines = [
  [
    'JAMHURI YA KENYA   REPUBLIC OF KENYA',
    'SERIAL NUMBER: 240117733     ID NUMBER: 31877204',
    'SURNAME: KAMAU',
    'GIVEN NAMES: WANJIKU GRACE',
  ],
  ['DATE OF BIRTH: 03.08.1996', 'SEX: FEMALE     NATIONALITY: KENYAN', 'DATE OF EXPIRY: 20.01.2031', 'PLACE OF ISSUE: NAKURU'],
].flat()

/** Draws a card with each field on its own line after its label, as PNG. */
function drawPrint(): Promise<Buffer> {
  const lines = printedLines.map((line, at) => textLine(line, { x: 6, y: 6 + 6 * at, size: 2.6 }))
  return renderPng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="85.6" height="54"><path d="M0,0H86V54H0Z" fill="#e8efe0"/>${lines.join('')}</svg>`,
    1000,
  )
}

describe('document reader: tesseract.js', { timeout: patient }, () => {
  const reader: DocumentReader = threadedDocumentReader({ threads: 1, executionProviders: ['cpu'], log: silentLog })
  const forever = new AbortController().signal
  const holder = generateHolder(23)
  const read = (image: Uint8Array): Promise<DocumentText> => reader.readDocument(image, forever)
  const words = (text: DocumentText): string => text.lines.map((line) => line.text).join('\n')
  let card: Buffer
  let passport: Buffer

  beforeAll(async () => {
    await reader.start(forever)
    card = (await drawIdentityCard(holder, { layout: 'french' })).front
    passport = await drawPassport(holder)
  }, patient)
  afterAll(() => reader.stop())

  it('reads the print and every character of the machine-readable zone', async () => {
    const text = await read(card)
    expect(text.mrz).toMatchObject({ format: 'FRA_CNI', lines: linesFrench(holder), settled: true })
    expect(words(text)).toContain(holder.lastName)
    expect(words(text)).toContain(holder.dateOfBirth.split('-').reverse().join('.'))
    expect(words(text)).not.toContain('<<<')
    expect(text.confidence).toBeGreaterThan(0.8)
  })

  it.each(['scan', 'photo', 'bad'] as const)('reads a passport and the back of a card from a picture of quality "%s"', async (level) => {
    expect((await read(await damage(passport, level))).mrz?.lines).toEqual(linesTd3(holder))
    const { back } = await drawIdentityCard(holder)
    expect((await read(await damage(back, level))).mrz?.lines).toEqual(linesTd1(holder))
  })

  it('detects a zone with four lines to the inch, as in passports', async () => {
    const spaced = { mrzLineHeight: 6.35 }
    expect((await read(await drawPassport(holder, spaced))).mrz?.lines).toEqual(linesTd3(holder))
    expect((await read((await drawIdentityCard(holder, spaced)).back)).mrz?.lines).toEqual(linesTd1(holder))
  })

  it.each(['ZM8033897', 'ZD4819242'])('distinguishes a Z among the digits of %s from a 1 and a 2', async (documentNumber) => {
    const named = generateHolder(1432, { documentNumber })
    const { back } = await drawIdentityCard(named, printings['DejaVu Sans, OCR-B'])
    const dark = await capture(back, { margin: 30, brightness: 0.45, blur: 0.6, noise: 14, noiseSeed: 5, jpegQuality: 80 })
    expect((await read(dark)).mrz?.lines).toEqual(linesTd1(named))
  })

  it('detects no zone in lines of ordinary print', async () => {
    const text = await read(await drawPrint())
    expect(text.mrz).toBeUndefined()
    expect(words(text)).toContain('WANJIKU GRACE')
  })

  it.each([
    ['upside down', 180, 180],
    ['on its right side', 90, 270],
    ['on its left side', 270, 90],
    ['slightly skewed', 9, 0],
    ['upside down and skewed', 193, 180],
  ])('reads a card that lies %s', async (_, rotate, rotation) => {
    const text = await read(await capture(card, { rotate, margin: 30, jpegQuality: 85 }))
    expect(text.rotation).toBe(rotation)
    expect(text.mrz?.lines).toEqual(linesFrench(holder))
    expect(words(text)).toContain(holder.lastName)
  })

  it('detects the orientation of a side without a machine-readable zone', async () => {
    const { front } = await drawIdentityCard(holder)
    const text = await read(await capture(front, { rotate: 182 }))
    expect(text.rotation).toBe(180)
    expect(words(text)).toContain(holder.lastName)
  })

  it('applies the EXIF orientation of a picture', async () => {
    const sideways = await sharp(await sharp(card).rotate(90).toBuffer())
      .withMetadata({ orientation: 8 })
      .jpeg()
      .toBuffer()
    const text = await read(sideways)
    expect(text.rotation).toBe(0)
    expect(text.mrz?.lines).toEqual(linesFrench(holder))
  })

  it('does not repair a forged digit: the zone is returned as printed', async () => {
    const [first = '', second = ''] = linesTd3(holder)
    // no confusable digit would repair it
    const digit = Number(second.charAt(15))
    const forged = [first, second.slice(0, 15) + String((digit + 1) % 10) + second.slice(16)]
    const { mrz } = await read(await drawPassport(holder, { lines: forged }))
    expect(mrz?.lines).toEqual(forged)
    expect(mrz?.settled).toBe(true)
    expect(mrz?.proposal?.doubtful ?? false).toBe(false)
  })

  it.each([
    ['pdf417', 'PDF417', '@\n\x1e\rANSI 636000100001DL00310278DLDAQT64235789\nDCSSAMPLE\n'],
    ['datamatrix', 'DataMatrix', 'DC03FR000001092D1636070160NATACHA'],
    ['qrcode', 'QRCode', '<script>alert(1)</script>'],
  ] as const)('reads the %s on the back of a card, whatever its content', async (bcid, symbology, text) => {
    const { back } = await drawIdentityCard(holder)
    const printed = await withBarcode(back, text, { bcid, scale: 3 })
    const reading = await read(await damage(printed, 'scan'))
    expect(reading.barcodes).toMatchObject([{ symbology, text }])
    expect(Buffer.from(reading.barcodes?.[0]?.bytes ?? []).toString()).toBe(text)
    expect(reading.mrz?.lines).toEqual(linesTd1(holder))
  })

  it.each([
    ['datamatrix', 'utf8'],
    ['datamatrix', 'latin1'],
    ['pdf417', 'utf8'],
    ['qrcode', 'utf8'],
  ] as const)('reads accents in a %s correctly, and returns its bytes unchanged: %s', async (bcid, set) => {
    const text = 'DC04FR03AV01FFFF16360701FR60ÉLÉONORE\x1d62FAÇADE-NUÑEZ'
    const { back } = await drawIdentityCard(holder)
    const printed = await withBarcode(back, Buffer.from(text, set), { bcid, scale: 3 })
    const [match, ...more] = (await read(await damage(printed, 'scan'))).barcodes ?? []
    expect(more).toEqual([])
    expect(match?.text).toBe(text)
    expect(Buffer.from(match?.bytes ?? []).equals(Buffer.from(text, set))).toBe(true)
  })

  it('reads a card without its damaged barcode', async () => {
    const { back } = await drawIdentityCard(holder)
    const text = '@\n\x1e\rANSI 636000100001DL00310278DLDAQT64235789\nDCSSAMPLE\n'
    const barcode = await toBuffer({ bcid: 'pdf417', text, scale: 3, padding: 6, backgroundcolor: 'FFFFFF' })
    const { width, height } = await sharp(barcode).metadata()
    const torn = { create: { width: Math.round(width * 0.5), height, channels: 3, background: '#ffffff' } } as const
    const damaged = await sharp(barcode)
      .composite([{ input: torn, left: Math.round(width * 0.25), top: 0 }])
      .png()
      .toBuffer()
    const printed = await sharp(back)
      .composite([{ input: damaged, top: 20, left: 480 }])
      .png()
      .toBuffer()
    const reading = await read(await damage(printed, 'scan'))
    expect(reading.barcodes ?? []).toEqual([])
    expect(reading.mrz?.lines).toEqual(linesTd1(holder))
  })

  it('measures blur, light, reflections and cut edges', async () => {
    const [intact, blurred, dark, glare, cut] = await Promise.all(
      [
        card,
        await capture(card, { blur: 4 }),
        await capture(card, { brightness: 0.2 }),
        await capture(card, { glare: { x: 0.5, y: 0.4, radius: 0.15 } }),
        await capture(card, { keep: { left: 0.4, width: 0.6 } }),
      ].map(async (image) => (await read(image)).quality),
    )
    expect(blurred?.sharpness).toBeLessThan((intact?.sharpness ?? 0) / 20)
    expect(dark?.brightness).toBeLessThan((intact?.brightness ?? 0) / 3)
    expect([intact?.glare, glare?.glare]).toEqual([0, expect.closeTo(0.03, 1)])
    expect(glare?.glare).toBeGreaterThan(0.01)
    expect([intact?.cutSides, cut?.cutSides]).toEqual([0, 1])
  })

  it('detects nothing on a blank sheet', async () => {
    const sheet = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#e8e8e8' } })
      .jpeg()
      .toBuffer()
    expect(await read(sheet)).toMatchObject({ lines: [], confidence: 0, quality: { ink: 0 } })
  })

  it('detects no zone in noise', async () => {
    const noise = await sharp(randomBytes(400 * 300 * 3), { raw: { width: 400, height: 300, channels: 3 } })
      .png()
      .toBuffer()
    expect((await read(noise)).mrz).toBeUndefined()
  })

  it('refuses a file that is not an image, and continues', async () => {
    await expect(read(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      problem: 'unsupported_format',
    })
    await expect(read(card.subarray(0, 2000))).rejects.toMatchObject({ code: 'BAD_USER_INPUT', problem: 'truncated' })
    expect((await read(card)).mrz?.format).toBe('FRA_CNI')
  })

  it('is aborted with the reason of the caller', async () => {
    const caller = new AbortController()
    const reading = reader.readDocument(card, caller.signal)
    caller.abort(new Error('the caller left'))
    await expect(reading).rejects.toThrow('the caller left')
    expect((await read(card)).mrz?.format).toBe('FRA_CNI')
  })

  it('aborts after its time limit, and reads the next document with a new thread', async () => {
    const hasty = threadedDocumentReader({ threads: 1, executionProviders: ['cpu'], timeoutMs: 1, log: silentLog })
    await hasty.start(forever)
    await expect(hasty.readDocument(card, forever)).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    await hasty.stop()
  })

  it('is unavailable before its start and after its stop', async () => {
    const other = threadedDocumentReader({ threads: 1, executionProviders: ['cpu'], log: silentLog })
    await expect(other.readDocument(card, forever)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    await other.start(forever)
    await other.stop()
    await expect(other.readDocument(card, forever)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  })
})
