/** Limits of a JSON text, checked before it is parsed. */
export interface JsonLimits {
  /** maximum nesting of arrays and objects */
  readonly depth: number
  /** maximum number of arrays, objects, strings, numbers and literals */
  readonly values: number
  /** maximum length of a member name in characters, escapes included */
  readonly nameLength: number
}

/**
 * Returns the first limit that a JSON text exceeds, or undefined, in linear time and constant memory. The result for invalid JSON is unspecified: the
 * parser refuses it later.
 */
export function exceededJsonLimit(json: string, limits: JsonLimits): keyof JsonLimits | undefined {
  const steps = jsonLimitSteps(json, limits, Number.POSITIVE_INFINITY)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** The same check as a generator that yields every `stepLength` characters, so that the caller can run other work in between. */
export function* jsonLimitSteps(json: string, limits: JsonLimits, stepLength: number): Generator<void, keyof JsonLimits | undefined> {
  let depth = 0
  // each value except the first follows a comma or opens its container
  let values = 1
  let pauseAt = stepLength
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === openBracket || code === openBrace) {
      if (++depth > limits.depth) return 'depth'
      if (++values > limits.values) return 'values'
    } else if (code === comma) {
      if (++values > limits.values) return 'values'
    } else if (code === closeBracket || code === closeBrace) {
      depth--
    } else if (code === quote) {
      const start = at
      do {
        at = json.indexOf('"', at + 1)
        if (at >= pauseAt) {
          pauseAt = at + stepLength
          yield
        }
      } while (at >= 0 && isEscaped(json, at))
      if (at < 0) return undefined
      if (at - start - 1 > limits.nameLength && isMemberName(json, at)) return 'nameLength'
    }
    if (at >= pauseAt) {
      pauseAt = at + stepLength
      yield
    }
  }
  return undefined
}

/** Returns the index of the closing quote of the string opened at `start`, or -1. */
export function closingQuote(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    if (!isEscaped(json, at)) return at
  }
  return -1
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
  return backslashes % 2 === 1
}

function isMemberName(json: string, end: number): boolean {
  let at = end + 1
  while (whitespace.includes(json.charAt(at)) && at < json.length) at++
  return json.charCodeAt(at) === colon
}

const whitespace = ' \t\n\r'
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const comma = 0x2c
const colon = 0x3a
const quote = 0x22
const backslash = 0x5c

/** Whether arrays and objects are nested at most `levels` deep; scalars have depth 0. */
export function isNestedAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isNestedAtMost(member, levels - 1))
}
