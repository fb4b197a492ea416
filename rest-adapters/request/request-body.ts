import { malformedBody } from '../../gateway/http/read-body.ts'
import { release } from '../../subgraphs/foundation/process/release-memory.ts'
import { InvalidRequest } from '../response/invalid-request.ts'
import { plainText, textOfJson, UndecodableText } from './body-text.ts'
import { extractImages, withImages } from './extracted-images.ts'
import {
  JsonSyntaxError,
  JsonTooExtreme,
  nestsTooDeep,
  parsePythonJson,
  plainJson,
  TooManyValues,
  type WrittenJson,
} from './python-json.ts'

/** A body that was there. */
export interface RequestBody {
  /** for the rules; an image that was taken out is a short string in it */
  readonly value: unknown
  /** Puts the images that were taken out into what was made of the value. */
  readonly withImages?: (variables: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Nothing reads the images any more: their memory is free at once. */
  readonly done?: () => void
  /** Reads it again, slower, as it was written: for refusals only; undefined when it is too much to echo. */
  readonly written: () => WrittenJson | undefined
}

/**
 * What a request's body says: JSON when its type is application/json or application/…+json, else its text.
 * @param images - names of members that hold images; they are decoded without becoming strings
 * @returns undefined for an empty body, whatever its type
 * @throws {Fault} MALFORMED for bytes that are no text, nesting beyond 1,000, an integer beyond 4,300 digits
 * @throws {InvalidRequest} for JSON with an error in it
 */
export function decodeBody(contentType: string | undefined, bytes: Buffer, images: ReadonlySet<string> = none): RequestBody | undefined {
  if (bytes.length === 0) return undefined
  try {
    if (isJson(contentType)) return (images.size === 0 ? undefined : decodeWithImages(bytes, images)) ?? decodeJson(textOfJson(bytes))
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

const none: ReadonlySet<string> = new Set()

/** @returns undefined when the ordinary way has to be gone: no images, or anything unusual about the text around them */
function decodeWithImages(bytes: Buffer, members: ReadonlySet<string>): RequestBody | undefined {
  const extracted = extractImages(bytes, members)
  const value = extracted && ordinaryJson(textOfJson(extracted.json))
  if (extracted === undefined || value === undefined) return undefined
  return {
    value,
    // its members stay what they are, but for the images
    withImages: (variables) => withImages(variables, extracted.images) as Readonly<Record<string, unknown>>,
    done: () => release(...[...extracted.images.values()].map((image) => image.bytes)),
    written: () => writtenUnlessTooMuch(textOfJson(bytes)),
  }
}

/** The type's rule of the reference implementation: everything behind a `;` is left out, no more than one `/`, blanks only around it. */
export function isJson(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1)
  return /^\s*application\/([^/]*\+)?json\s*$/i.test(type)
}

function decodeJson(text: string): RequestBody {
  const value = ordinaryJson(text)
  if (value !== undefined) return { value, written: () => writtenUnlessTooMuch(text) }
  const written = parsePythonJson(text)
  return { value: plainJson(written), written: () => written }
}

/** @returns undefined for what is not JSON of RFC 8259, or is extreme: the slow reader decides */
function ordinaryJson(text: string): unknown {
  try {
    const value: unknown = nestsTooDeep(text) ? undefined : JSON.parse(text)
    return isOrdinary(value) ? value : undefined
  } catch {
    return undefined
  }
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
