import { createReadStream } from 'node:fs'
import type { FileLine } from '../../foundation/files/data-file.ts'

const lineFeed = 10
/** limit of an expression over REST; a delegation is smaller */
const maxBytes = 128 * 1024

/**
 * Yields the lines of a UTF-8 file, numbered from 1. Only line feeds end a line, since JSON text may contain other line separators such as U+2028.
 * Skips a byte order mark. A line that is too long is reported without its text.
 */
export async function* linesOf(path: string): AsyncGenerator<FileLine> {
  let number = 0
  let pieces: Buffer[] = []
  let bytes = 0
  const add = (piece: Buffer): void => {
    bytes += piece.length
    if (bytes <= maxBytes) pieces.push(piece)
    else pieces = []
  }
  const line = (): FileLine => {
    number += 1
    const read = bytes > maxBytes ? { problem: `the line is longer than ${maxBytes} bytes` } : textOf(Buffer.concat(pieces))
    pieces = []
    bytes = 0
    return { number, ...read }
  }
  for await (const content of createReadStream(path)) {
    // a file stream without an encoding yields buffers
    const chunk = content as Buffer
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end))
      yield line()
      from = end + 1
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
  if (bytes > 0) yield line()
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): { readonly text: string } | { readonly problem: string } {
  try {
    return { text: decoder.decode(bytes) }
  } catch {
    return { problem: 'the line is not UTF-8' }
  }
}
