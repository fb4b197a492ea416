import { type WrittenJson, WrittenNumber } from './python-json.ts'

const maxEchoedLength = 1024
const shortenedLength = 32

/**
 * Returns a refused value as JSON text for `input` of a refusal: as written, except that strings over 1,024 characters are cut to 32 (they may be
 * photographs), NaN and Infinity become null, and lone surrogates U+FFFD. @returns undefined if the text would exceed `max` characters
 */
export function echoOf(value: WrittenJson, max: number): string | undefined {
  const parts: string[] = []
  if (max <= 0) return undefined
  let room = max
  const add = (text: string): boolean => {
    room -= text.length
    if (room >= 0) parts.push(text)
    return room >= 0
  }
  const write = (part: WrittenJson): boolean => {
    if (typeof part === 'string') return add(JSON.stringify(shortened(part)))
    if (part instanceof WrittenNumber) return add(numberText(part.source))
    if (part instanceof Map) {
      let separator = '{'
      for (const [name, member] of part) {
        if (!add(`${separator}${JSON.stringify(shortened(String(name)))}:`) || !write(member)) return false
        separator = ','
      }
      return add(separator === '{' ? '{}' : '}')
    }
    if (Array.isArray(part)) {
      let separator = '['
      for (const item of part) {
        if (!add(separator) || !write(item)) return false
        separator = ','
      }
      return add(separator === '[' ? '[]' : ']')
    }
    return add(String(part))
  }
  return write(value) ? parts.join('') : undefined
}

function numberText(source: string): string {
  if (!Number.isFinite(Number(source)) && !/^-?[0-9]+$/.test(source)) return 'null'
  // Python has no negative integer zero
  return source === '-0' ? '0' : source
}

function shortened(text: string): string {
  if (text.length <= maxEchoedLength) return text.toWellFormed()
  // Characters are code points; more than twice as many code units exceed the limit in any case.
  const head = Array.from(text.slice(0, 2 * maxEchoedLength + 2))
  if (head.length <= maxEchoedLength) return text.toWellFormed()
  return `${head.slice(0, shortenedLength).join('')}...`.toWellFormed()
}
