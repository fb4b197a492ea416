import { Fault } from '../../foundation/fault.ts'
import { release } from '../../foundation/process/release-memory.ts'
import { exceededJsonLimit } from '../../foundation/validation/json-limits.ts'
import { malformedBody } from '../../gateway/http/read-body.ts'
import { type InvalidEntry, InvalidRequest, tooLongEntry } from '../response/invalid-request.ts'
import { plainText, textOfJson, UndecodableText } from './body-text.ts'
import { type Extracted, extractImages, withImages } from './extracted-images.ts'
import { jsonOutline } from './json-outline.ts'
import { JsonSyntaxError, JsonTooExtreme, maxNested, parsePythonJson, plainJson, TooManyValues, type WrittenJson } from './python-json.ts'

/** A body that was there. */
export interface RequestBody {
  /** for the rules; an image that was taken out is a short string in it */
  readonly value: unknown
  /** what is wrong with it, where that is known without its value: it is held against no rule then */
  readonly refusals?: readonly InvalidEntry[]
  /** Puts the images that were taken out into what was made of the value. */
  readonly withImages?: (variables: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Nothing reads the images any more: their memory is free at once. */
  readonly done?: () => void
  /** Reads it again, slower, as it was written: for refusals only; undefined when it is too much to echo. */
  readonly written: () => WrittenJson | undefined
  /** To be awaited before `written` gives anything: the body is too large to be read on the event loop. */
  readonly prepareWritten?: () => Promise<void>
}

/** What a JSON body may have. */
export interface BodyLimits {
  /** members that hold images; they are decoded without becoming strings */
  readonly images: ReadonlySet<string>
  /** arrays, objects, strings, numbers and literals in all, and members of objects */
  readonly values: number
  /** items of lists that are members of the body, by name */
  readonly lists: ReadonlyMap<string, number>
}

/** Values of a body that has no long lists. */
export const fewValues = 20_000
/** Characters of a member name, as written. */
const longestName = 1024 * 1024
/** The members of a shorter text are not counted: they are few. */
const leastCounted = 64 * 1024

const noImages: ReadonlySet<string> = new Set()
const plainBody: BodyLimits = { images: noImages, values: fewValues, lists: new Map() }

/**
 * What a request's body says: JSON when its type is application/json or application/…+json, else its text.
 * @param extracted - the body without its images, when they have been taken out already
 * @returns undefined for an empty body, whatever its type
 * @throws {Fault} MALFORMED for bytes that are no text, nesting beyond 1,000, an integer beyond 4,300 digits; TOO_LARGE for a member name of more than 1 MB
 * @throws {InvalidRequest} for JSON with an error in it
 */
export function decodeBody(
  contentType: string | undefined,
  bytes: Buffer,
  limits = plainBody,
  extracted = limits.images.size === 0 || !isJson(contentType) ? undefined : extractImages(bytes, limits.images),
): RequestBody | undefined {
  if (bytes.length === 0) return undefined
  try {
    if (isJson(contentType)) return (extracted && decodeWithImages(extracted, limits)) ?? decodeJson(textOfJson(bytes), limits)
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

/** @returns undefined when the ordinary way has to be gone: no images, or anything unusual about the text around them */
function decodeWithImages({ json, images }: Extracted, limits: BodyLimits): RequestBody | undefined {
  const text = textOfJson(json)
  const value = exceededLimit(text, limits) === undefined ? ordinaryJson(text) : undefined
  if (value === undefined) return undefined
  return {
    value,
    // its members stay what they are, but for the images
    withImages: (variables) => withImages(variables, images) as Readonly<Record<string, unknown>>,
    done: () => release(...[...images.values()].map((image) => image.bytes)),
    written: () => withImageTexts(writtenUnlessTooMuch(text), images),
  }
}

/** The type's rule of the reference implementation: everything behind a `;` is left out, no more than one `/`, blanks only around it. */
export function isJson(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1)
  return /^\s*application\/([^/]*\+)?json\s*$/i.test(type)
}

function decodeJson(text: string, limits: BodyLimits): RequestBody {
  const exceeded = exceededLimit(text, limits)
  if (exceeded === 'values') return { value: undefined, refusals: [tooManyEntry(text, limits)], written: () => undefined }
  // JSON.parse would build all of a text that is nested too deep: megabytes of `[` take it seconds
  const value = exceeded === undefined ? ordinaryJson(text) : undefined
  if (value !== undefined) return { value, written: () => writtenUnlessTooMuch(text) }
  const written = parsePythonJson(text)
  return { value: plainJson(written), written: () => written }
}

/** @throws {Fault} TOO_LARGE for a name that is too long */
function exceededLimit(text: string, { values, lists }: BodyLimits): 'depth' | 'values' | undefined {
  const exceeded = exceededJsonLimit(text, { depth: maxNested, values, nameLength: longestName })
  if (exceeded === 'nameLength') throw new Fault('TOO_LARGE', `A name in the body is longer than ${longestName} characters`)
  if (exceeded !== undefined || text.length < leastCounted || values <= fewValues) return exceeded
  // objects of many different members are the slowest to make
  return jsonOutline(text, new Set(lists.keys())).members > values / 2 ? 'values' : undefined
}

/** Names the list that is too long, without having read its items; without one, the body as a whole. */
function tooManyEntry(text: string, { values, lists }: BodyLimits): InvalidEntry {
  const { lengths } = jsonOutline(text, new Set(lists.keys()))
  for (const [name, max] of lists) {
    const length = lengths.get(name) ?? 0
    if (length > max) return { ...tooLongEntry(max, length), loc: ['body', name] }
  }
  return { type: 'value_error', loc: ['body'], msg: `Value error, the body should have at most ${values} values` }
}

/** @returns undefined for what is not JSON of RFC 8259, or has an extreme number: the slow reader decides */
function ordinaryJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isOrdinary(value) ? value : undefined
  } catch {
    return undefined
  }
}

function withImageTexts(written: WrittenJson | undefined, images: Extracted['images']): WrittenJson | undefined {
  if (typeof written === 'string') return images.get(written)?.toJSON() ?? written
  if (written instanceof Map) return new Map([...written].map(([name, member]) => [name, withImageTexts(member, images) ?? null]))
  return Array.isArray(written) ? written.map((item) => withImageTexts(item, images) ?? null) : written
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
