import { Fault } from '../subgraphs/foundation/fault.ts'
import { plainText, textOfJson, UndecodableText } from './body-text.ts'
import { InvalidRequest } from './invalid-request.ts'
import {
  JsonSyntaxError,
  JsonTooExtreme,
  nestsTooDeep,
  parsePythonJson,
  plainJson,
  TooManyValues,
  type WrittenJson,
} from './python-json.ts'

/** A body that was there. `written` reads it again, slower, as it was written: for refusals only; undefined when it is too much to echo. */
export interface RequestBody {
  readonly value: unknown
  readonly written: () => WrittenJson | undefined
}

/**
 * What a request's body says: JSON when its type is application/json or application/…+json, else its text.
 * @returns undefined for an empty body, whatever its type
 * @throws {Fault} MALFORMED for bytes that are no text, nesting beyond 1,000, an integer beyond 4,300 digits
 * @throws {InvalidRequest} for JSON with an error in it
 */
export function decodeBody(contentType: string | undefined, bytes: Buffer): RequestBody | undefined {
  if (bytes.length === 0) return undefined
  try {
    if (isJson(contentType)) return decodeJson(textOfJson(bytes))
    const value = plainText(bytes)
    return { value, written: () => value }
  } catch (error) {
    if (error instanceof UndecodableText || error instanceof JsonTooExtreme) throw malformedBody(error)
    if (error instanceof JsonSyntaxError)
      throw new InvalidRequest([
        { type: 'json_invalid', loc: ['body', error.position], msg: 'JSON decode error', input: new Map(), ctx: { error: error.message } },
      ])
    throw error
  }
}

export function malformedBody(cause?: unknown): Fault {
  return new Fault('MALFORMED', 'There was an error parsing the body', {}, cause)
}

/** The type's rule of the reference implementation: everything behind a `;` is left out, no more than one `/`, blanks only around it. */
export function isJson(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1)
  return /^\s*application\/([^/]*\+)?json\s*$/i.test(type)
}

function decodeJson(text: string): RequestBody {
  try {
    const value: unknown = nestsTooDeep(text) ? undefined : JSON.parse(text)
    if (value !== undefined && isOrdinary(value)) return { value, written: () => writtenUnlessTooMuch(text) }
  } catch {
    // not JSON of RFC 8259: the slow reader decides
  }
  const written = parsePythonJson(text)
  return { value: plainJson(written), written: () => written }
}

function writtenUnlessTooMuch(text: string): WrittenJson | undefined {
  try {
    return parsePythonJson(text)
  } catch (error) {
    if (error instanceof TooManyValues) return undefined
    throw error
  }
}

/** Whether every number in a value fits a double: what does not may be an integer of more digits than CPython reads. */
function isOrdinary(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  for (const member of Array.isArray(value) ? value : Object.values(value)) if (!isOrdinary(member)) return false
  return true
}
