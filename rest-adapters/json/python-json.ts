/** A number as written, for an unchanged echo: `1.0`, thirty digits. Includes NaN, Infinity and -Infinity. */
export class WrittenNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** JSON as written: members in order (a repeated one keeps its first position and its last value), numbers unparsed. */
export type WrittenJson = null | boolean | string | WrittenNumber | readonly WrittenJson[] | ReadonlyMap<string, WrittenJson>

/** A JSON syntax error with CPython's message and position in Unicode code points. */
export class JsonSyntaxError extends Error {
  readonly position: number
  constructor(sentence: string, position: number) {
    super(sentence)
    this.name = 'JsonSyntaxError'
    this.position = position
  }
}

/** JSON that the reference implementation refuses: nested too deep, or an integer with too many digits. */
export class JsonTooExtreme extends Error {}

/** Maximum nesting. CPython's recursion limit is 1,000 frames, of which the server around it uses some. */
export const maxNested = 1000
/** Maximum digits of an integer, CPython's limit against quadratic parsing (sys.int_info.default_max_str_digits). */
export const maxDigits = 4300

/** Maximum values; longer texts are read to find the position of an error, but their echo is dropped. */
const maxValues = 500_000

/** JSON with more values than the limit. */
export class TooManyValues extends JsonTooExtreme {}

const literals: readonly (readonly [string, WrittenJson])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', new WrittenNumber('NaN')],
  ['Infinity', new WrittenNumber('Infinity')],
  ['-Infinity', new WrittenNumber('-Infinity')],
]

const [quote, backslash, minus, dot, zero, upperE, lowerE, plus] = [0x22, 0x5c, 0x2d, 0x2e, 0x30, 0x45, 0x65, 0x2b]
/** Global searches instead of repetitions, for which the engine stores a backtracking position per character. */
const notBlank = /[^ \n\r\t]/g
const notDigit = /[^0-9]/g
/** a quote, a backslash, a control character */
const endsPlainText = /["\\]|[^ -\uffff]/g

/**
 * Parses JSON as the `json` module of CPython 3.8 to 3.12 does, including its extensions (NaN, Infinity, -Infinity) and error positions. Several
 * times slower than JSON.parse: used for texts that it refuses, and for echoes. @throws {JsonSyntaxError} {JsonTooExtreme}
 * @throws {TooManyValues} without a syntax error
 * @see CPython, Modules/_json.c
 */
export function parsePythonJson(text: string): WrittenJson {
  const scanner = new Scanner(text)
  const value = scanner.value(scanner.pastBlanks(0), 0)
  const end = scanner.pastBlanks(scanner.end)
  if (end < text.length) throw scanner.error('Extra data', end)
  if (scanner.values > maxValues) throw new TooManyValues(`more than ${maxValues} values`)
  return value
}

/** Each method sets `end` to the position after what it read. Compares character codes for speed on megabytes. */
class Scanner {
  readonly #text: string
  end = 0
  values = 0

  constructor(text: string) {
    this.#text = text
  }

  pastBlanks(from: number): number {
    // usually there is no blank
    return this.#text.charCodeAt(from) > 0x20 ? from : this.#next(notBlank, from)
  }

  /** @returns the position of the next match, or the end of the text */
  #next(kind: RegExp, from: number): number {
    kind.lastIndex = from
    return kind.test(this.#text) ? kind.lastIndex - 1 : this.#text.length
  }

  /** @param at - in UTF-16 units */
  error(sentence: string, at: number): JsonSyntaxError {
    let pairs = 0
    for (let index = 0; index < at - 1; index++)
      if ((this.#text.charCodeAt(index) & 0xfc00) === 0xd800 && (this.#text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) pairs++
    return new JsonSyntaxError(sentence, at - pairs)
  }

  value(at: number, depth: number): WrittenJson {
    this.values++
    const first = this.#text[at]
    if (first === '"') return this.#string(at)
    if (first === '{' || first === '[') {
      if (depth >= maxNested) throw new JsonTooExtreme(`nested deeper than ${maxNested}`)
      return first === '{' ? this.#object(at + 1, depth + 1) : this.#array(at + 1, depth + 1)
    }
    const end = this.#numberEnd(at)
    if (end > at) {
      this.end = end
      return this.values > maxValues ? null : new WrittenNumber(this.#text.slice(at, end))
    }
    for (const [word, value] of literals)
      if (this.#text.startsWith(word, at)) {
        this.end = at + word.length
        return value
      }
    throw this.error('Expecting value', at)
  }

  /** @returns the end of the number at `start`; `start` if there is no number */
  #numberEnd(start: number): number {
    const text = this.#text
    const first = text.charCodeAt(start) === minus ? start + 1 : start
    const integerEnd = text.charCodeAt(first) === zero ? first + 1 : this.#pastDigits(first)
    if (integerEnd === first) return start
    let end = integerEnd
    if (text.charCodeAt(end) === dot) {
      const fractionEnd = this.#pastDigits(end + 1)
      if (fractionEnd > end + 1) end = fractionEnd
    }
    if (text.charCodeAt(end) === lowerE || text.charCodeAt(end) === upperE) {
      const sign = text.charCodeAt(end + 1)
      const digits = sign === plus || sign === minus ? end + 2 : end + 1
      const exponentEnd = this.#pastDigits(digits)
      if (exponentEnd > digits) end = exponentEnd
    }
    if (end === integerEnd && end - first > maxDigits) throw new JsonTooExtreme(`an integer of more than ${maxDigits} digits`)
    return end
  }

  #pastDigits(from: number): number {
    return this.#next(notDigit, from)
  }

  #object(start: number, depth: number): ReadonlyMap<string, WrittenJson> {
    const members = new Map<string, WrittenJson>()
    let at = this.pastBlanks(start)
    if (this.#text[at] === '}') {
      this.end = at + 1
      return members
    }
    for (;;) {
      if (this.#text[at] !== '"') throw this.error('Expecting property name enclosed in double quotes', at)
      const name = this.#string(at)
      at = this.pastBlanks(this.end)
      if (this.#text[at] !== ':') throw this.error("Expecting ':' delimiter", at)
      const value = this.value(this.pastBlanks(at + 1), depth)
      if (this.values <= maxValues) members.set(name, value)
      at = this.pastBlanks(this.end)
      if (this.#text[at] === '}') break
      if (this.#text[at] !== ',') throw this.error("Expecting ',' delimiter", at)
      at = this.pastBlanks(at + 1)
    }
    this.end = at + 1
    return members
  }

  #array(start: number, depth: number): readonly WrittenJson[] {
    const items: WrittenJson[] = []
    let at = this.pastBlanks(start)
    if (this.#text[at] === ']') {
      this.end = at + 1
      return items
    }
    for (;;) {
      const value = this.value(at, depth)
      if (this.values <= maxValues) items.push(value)
      at = this.pastBlanks(this.end)
      if (this.#text[at] === ']') break
      if (this.#text[at] !== ',') throw this.error("Expecting ',' delimiter", at)
      at = this.pastBlanks(at + 1)
    }
    this.end = at + 1
    return items
  }

  #string(start: number): string {
    const text = this.#text
    let escaped = false
    let at = this.#next(endsPlainText, start + 1)
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
      if (at >= text.length) throw this.error('Unterminated string starting at', start)
      if (code !== backslash) throw this.error('Invalid control character at', at)
      escaped = true
      at = this.#pastEscape(at, start)
      // escapes often follow each other
      const next = text.charCodeAt(at)
      if (next !== quote && next !== backslash) at = this.#next(endsPlainText, at)
    }
    this.end = at + 1
    // the quoted text is a valid string of RFC 8259 here
    return escaped ? String(JSON.parse(text.slice(start, at + 1))) : text.slice(start + 1, at)
  }

  #pastEscape(at: number, start: number): number {
    const text = this.#text
    const letter = text[at + 1]
    if (letter === undefined) throw this.error('Unterminated string starting at', start)
    if (letter !== 'u') {
      if (!'"\\/bfnrt'.includes(letter)) throw this.error('Invalid \\escape', at)
      return at + 2
    }
    // CPython requires a character after the four digits before it checks them
    if (at + 6 >= text.length || !/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) throw this.error('Invalid \\uXXXX escape', at + 1)
    return at + 6
  }
}

/** Converts written JSON to plain values for validation (an integer beyond 2^53 loses digits, 1e999 is Infinity). */
export function plainJson(written: WrittenJson): unknown {
  if (written instanceof WrittenNumber) return Number(written.source)
  if (written instanceof Map) {
    // entries, not assignment: a member may be called __proto__
    return Object.fromEntries([...written].map(([name, value]) => [name, plainJson(value)]))
  }
  return Array.isArray(written) ? written.map(plainJson) : written
}
