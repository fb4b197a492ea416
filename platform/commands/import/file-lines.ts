import { createReadStream } from 'node:fs'
import type { FileLine } from '../../../foundation/files/file-line.ts'

const lineFeed = 10
/** as much as one expression may have over REST; a delegation has less */
const longestBytes = 128 * 1024

/**
 * Lines of a file of UTF-8, from 1 on. Only line feeds end them: JSON lets a text hold the other signs that end lines elsewhere, such as
 * U+2028. A mark of byte order is left out. Of a line that is too long no more is kept than that it was.
 */
export async function* linesOf(path: string): AsyncGenerator<FileLine> {
  let number = 0
  let pieces: Buffer[] = []
  let bytes = 0
  const add = (piece: Buffer): void => {
    bytes += piece.length
    if (bytes <= longestBytes) pieces.push(piece)
    else pieces = []
  }
  const line = (): FileLine => {
    number += 1
    const read = bytes > longestBytes ? { problem: `the line is longer than ${longestBytes} bytes` } : textOf(Buffer.concat(pieces))
    pieces = []
    bytes = 0
    return { number, ...read }
  }
  for await (const content of createReadStream(path)) {
    // without an encoding a stream of a file gives buffers
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
