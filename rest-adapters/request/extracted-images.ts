import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { DecodedBase64 } from '../../foundation/graphql/image-content.ts'

/** A JSON text without its images, each replaced by an unguessable word. */
export interface ExtractedBody {
  readonly json: Buffer
  readonly images: ReadonlyMap<string, DecodedBase64>
}

/** Maximum strings of a body whose images are extracted. */
const maxStrings = 200_000
/** Bytes and strings processed before other work gets its turn: about 5 ms. */
const bytesPerStep = 4 * 1024 * 1024
const stringsPerStep = 20_000

/** Minimum size of an extracted string. */
const minBytes = 4096
/** Node's decoder takes a string: pieces of this size do not outlive the young generation. A multiple of 4. */
const pieceBytes = 64 * 1024
const [quote, backslash, colon, equals] = [0x22, 0x5c, 0x3a, 0x3d]
const word = randomUUID()
const maxDataUrlLength = 256
const dataUrl = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,/i

/**
 * Extracts the long base64 strings of these members from a JSON text and decodes them without creating strings. Extracts only strings that are
 * entirely base64; the JSON parser validates the rest. @returns undefined if nothing can be extracted
 */
export function extractImages(bytes: Buffer, members: ReadonlySet<string>): ExtractedBody | undefined {
  const steps = extraction(bytes, members)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** As `extractImages`, a few milliseconds at a time. */
export async function extractImagesInSteps(bytes: Buffer, members: ReadonlySet<string>): Promise<ExtractedBody | undefined> {
  const steps = extraction(bytes, members)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await setImmediate()
  }
}

function* extraction(bytes: Buffer, members: ReadonlySet<string>): Generator<undefined, ExtractedBody | undefined> {
  if (bytes.length < minBytes) return undefined
  let strings = 0
  let pausedAt = 0
  const images = new Map<string, DecodedBase64>()
  const parts: Buffer[] = []
  let copied = 0
  let name = ''
  let nameEnd = -1
  for (let open = bytes.indexOf(quote); open >= 0; ) {
    const close = closingQuote(bytes, open)
    if (close < 0 || ++strings > maxStrings) return undefined
    if (close - pausedAt > bytesPerStep || strings % stringsPerStep === 0) {
      yield
      pausedAt = close
    }
    if (close - open > minBytes && members.has(name) && isColon(bytes, nameEnd + 1, open)) {
      const text = bytes.subarray(open + 1, close)
      const image = decoded(text)
      if (image !== undefined) {
        const stand = `${word} ${images.size}`
        images.set(stand, new DecodedBase64(text, image))
        parts.push(bytes.subarray(copied, open + 1), Buffer.from(stand))
        copied = close
      }
    }
    name = close - open > 40 ? '' : bytes.toString('latin1', open + 1, close)
    nameEnd = close
    open = bytes.indexOf(quote, close + 1)
  }
  if (images.size === 0) return undefined
  return { json: Buffer.concat([...parts, bytes.subarray(copied)]), images }
}

/** Replaces the words by the images at any depth. */
export function withImages(value: unknown, images: ReadonlyMap<string, DecodedBase64>): unknown {
  if (typeof value === 'string') return images.get(value) ?? value
  if (Array.isArray(value)) return value.map((member) => withImages(member, images))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withImages(member, images)]))
}

function closingQuote(bytes: Buffer, open: number): number {
  for (let at = bytes.indexOf(quote, open + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let backslashes = 0
    while (bytes[at - 1 - backslashes] === backslash) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return -1
}

/** Whether there is only a colon with blanks between two positions. */
function isColon(bytes: Buffer, from: number, to: number): boolean {
  let colons = 0
  for (let at = from; at < to; at++) {
    const code = bytes[at]
    if (code === colon) colons++
    else if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return false
  }
  return colons === 1
}

/** Decodes plain base64 or a data URL; undefined if it contains anything else. */
function decoded(text: Buffer): Buffer | undefined {
  const start = dataUrl.exec(text.toString('latin1', 0, maxDataUrlLength))?.[0].length ?? 0
  let end = text.length
  while (end > start && text[end - 1] === equals) end--
  const digits = end - start
  if (digits === 0 || digits % 4 === 1 || text.length - end > 2) return undefined
  const bytes = Buffer.allocUnsafeSlow(Math.floor((digits * 3) / 4))
  let written = 0
  for (let from = start; from < end; from += pieceBytes)
    written += bytes.write(text.toString('latin1', from, Math.min(from + pieceBytes, end)), written, 'base64')
  // the decoder skips invalid characters: the length shows that none were skipped
  return written === bytes.length ? bytes : undefined
}
