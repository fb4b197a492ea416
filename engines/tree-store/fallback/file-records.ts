import { createReadStream } from 'node:fs'

/** A record of a file: one line of NDJSON, or one element of a JSON array. */
export interface FileRecord {
  /** position of its first byte in the file */
  readonly offset: number
  readonly bytes: Buffer
}

const maxRecordBytes = 32 * 1024 * 1024
const [lineFeed, quote, backslash, comma, open, close, openBrace, closeBrace] = Buffer.from('\n"\\,[]{}')

/** A file that cannot be read as records; the message says where and why. */
export class UnreadableFile extends Error {}

/**
 * Yields the records of NDJSON or of a JSON array of objects, without holding more than one record in memory. @throws {UnreadableFile}
 */
export async function* fileRecords(path: string, signal: AbortSignal): AsyncGenerator<FileRecord> {
  let rest: Buffer = Buffer.alloc(0)
  let restAt = 0
  let splitter: Splitter | undefined
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 20 })) {
    if (!Buffer.isBuffer(chunk)) continue
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (splitter === undefined) {
      const first = firstByte(rest)
      if (first === undefined) continue
      splitter = rest[first] === open ? arrayElements(first + 1) : lines(first)
    }
    const { records, upTo } = splitter.split(rest)
    for (const [from, to] of records) yield { offset: restAt + from, bytes: rest.subarray(from, to) }
    rest = rest.subarray(upTo)
    restAt += upTo
    if (rest.length > maxRecordBytes) throw new UnreadableFile(`the record at byte ${restAt} is longer than 32 MiB`)
  }
  const last = splitter?.end(rest)
  if (last !== undefined) yield { offset: restAt + last[0], bytes: rest.subarray(last[0], last[1]) }
}

type Range = readonly [from: number, to: number]

/** Finds records in the unread part of a file, which begins where the last call ended. */
interface Splitter {
  /** @returns the complete records and where the unread part begins now */
  split(bytes: Buffer): { readonly records: readonly Range[]; readonly upTo: number }
  /** Returns the last record, at the end of the file. @throws {UnreadableFile} */
  end(bytes: Buffer): Range | undefined
}

/** @param skipped - bytes before the first line */
function lines(skipped: number): Splitter {
  let from = skipped
  return {
    split(bytes) {
      const records: Range[] = []
      let start = from
      for (let at = bytes.indexOf(Number(lineFeed), start); at >= 0; at = bytes.indexOf(Number(lineFeed), start)) {
        if (!isBlank(bytes, start, at)) records.push([start, at])
        start = at + 1
      }
      from = 0
      return { records, upTo: start }
    },
    end: (bytes) => (isBlank(bytes, from, bytes.length) ? undefined : [from, bytes.length]),
  }
}

/** @param skipped - bytes up to the opening bracket */
function arrayElements(skipped: number): Splitter {
  let [from, depth, isText, isEscaped, isClosed] = [skipped, 0, false, false, false]
  /** beginning of the current element, relative to the unread part */
  let start = -1
  return {
    split(bytes) {
      const records: Range[] = []
      for (let at = from; at < bytes.length; at++) {
        const byte = bytes[at]
        if (isClosed) {
          if (!isSpace(byte)) throw new UnreadableFile('the file continues after its JSON array')
        } else if (isText) {
          if (isEscaped) isEscaped = false
          else if (byte === backslash) isEscaped = true
          else if (byte === quote) isText = false
        } else if (byte === quote) isText = true
        else if (byte === openBrace || byte === open) {
          if (depth === 0) start = at
          depth++
        } else if (byte === closeBrace || byte === close) {
          if (depth === 0) isClosed = true
          else if (--depth === 0) {
            records.push([start, at + 1])
            start = -1
          }
        }
        if (depth === 0 && !isClosed && start < 0 && !isText && byte !== comma && byte !== closeBrace && byte !== close && !isSpace(byte))
          throw new UnreadableFile('the file is a JSON array with an element that is not an object')
      }
      const upTo = start < 0 ? bytes.length : start
      from = bytes.length - upTo
      if (start >= 0) start = 0
      return { records, upTo }
    },
    end() {
      if (!isClosed) throw new UnreadableFile('the file ends within its JSON array: it is incomplete')
      return undefined
    },
  }
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(bytes[at])) return false
  return true
}

/** Returns the place of the first byte that is neither space nor byte-order mark. */
function firstByte(bytes: Buffer): number | undefined {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  for (let at = mark; at < bytes.length; at++) if (!isSpace(bytes[at])) return at
  return undefined
}
