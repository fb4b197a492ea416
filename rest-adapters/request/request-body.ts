import { Fault } from '../../foundation/fault.ts'
import { release } from '../../foundation/http/content.ts'
import { malformedBody } from '../../foundation/http/read-body.ts'
import { exceededJsonLimit } from '../../foundation/validation/json-limits.ts'
import { jsonOutline } from '../json/json-outline.ts'
import {
  JsonSyntaxError,
  JsonTooExtreme,
  maxNested,
  parsePythonJson,
  plainJson,
  TooManyValues,
  type WrittenJson,
} from '../json/python-json.ts'
import { type InvalidEntry, InvalidRequest, tooLongEntry } from '../response/invalid-request.ts'
import { plainText, textOfJson, UndecodableText } from './body-text.ts'
import { type ExtractedBody, extractImages, withImages } from './extracted-images.ts'

/** A request body. */
export interface RequestBody {
  /** for validation; extracted images are short strings in it */
  readonly value: unknown
  /** errors found without parsing the value, which is then not validated */
  readonly refusals?: readonly InvalidEntry[]
  /** Restores extracted images in the validated variables. */
  readonly withImages?: (variables: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Releases the memory of the images immediately. */
  readonly done?: () => void
  /** Parses it again as written, slower, for refusals only; undefined if it is too large to echo. */
  readonly written: () => WrittenJson | undefined
  /** Must be awaited before `written` if the body is too large for the event loop. */
  readonly prepareWritten?: () => Promise<void>
}

/** Limits of a JSON body. */
export interface BodyLimits {
  /** members with images, which are decoded without creating strings */
  readonly images: ReadonlySet<string>
  /** maximum arrays, objects, strings, numbers and literals in total, and maximum members of objects */
  readonly values: number
  /** maximum items of lists in the body, by name */
  readonly lists: ReadonlyMap<string, number>
}

/** Maximum values of a body without long lists. */
export const fewValues = 20_000
/** Maximum length of a member name, as written. */
const maxNameLength = 1024 * 1024
/** Members of shorter texts are not counted: there are few. */
const minCounted = 64 * 1024

const noImages: ReadonlySet<string> = new Set()
const plainBody: BodyLimits = { images: noImages, values: fewValues, lists: new Map() }

/**
 * Decodes a request body: JSON if its type is application/json or application/…+json, else text. @param extracted - the body without its images, if
 * they were extracted before
 * @returns undefined for an empty body of any type
 * @throws {Fault} MALFORMED for bytes that are not text, nesting beyond 1,000, or an integer beyond 4,300 digits; TOO_LARGE for a member name above 1
 * MB
 * @throws {InvalidRequest} for invalid JSON
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

/** @returns undefined if the regular path must be used: no images, or an unusual text around them */
function decodeWithImages({ json, images }: ExtractedBody, limits: BodyLimits): RequestBody | undefined {
  const text = textOfJson(json)
  const value = exceededLimit(text, limits) === undefined ? ordinaryJson(text) : undefined
  if (value === undefined) return undefined
  return {
    value,
    // members keep their types, except images
    withImages: (variables) => withImages(variables, images) as Readonly<Record<string, unknown>>,
    done: () => release(...[...images.values()].map((image) => image.bytes)),
    written: () => withImageTexts(writtenUnlessTooMuch(text), images),
  }
}

/**
 * Whether the content type is JSON by the rules of the reference implementation: parameters are ignored, at most one `/`, surrounding blanks only.
 */
export function isJson(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1)
  return /^\s*application\/([^/]*\+)?json\s*$/i.test(type)
}

function decodeJson(text: string, limits: BodyLimits): RequestBody {
  const exceeded = exceededLimit(text, limits)
  if (exceeded === 'values') return { value: undefined, refusals: [tooManyEntry(text, limits)], written: () => undefined }
  // JSON.parse would build the whole of a deeply nested text: megabytes of `[` take seconds
  const value = exceeded === undefined ? ordinaryJson(text) : undefined
  if (value !== undefined) return { value, written: () => writtenUnlessTooMuch(text) }
  const written = parsePythonJson(text)
  return { value: plainJson(written), written: () => written }
}

/** @throws {Fault} TOO_LARGE for a name that is too long */
function exceededLimit(text: string, { values, lists }: BodyLimits): 'depth' | 'values' | undefined {
  const exceeded = exceededJsonLimit(text, { depth: maxNested, values, nameLength: maxNameLength })
  if (exceeded === 'nameLength') throw new Fault('TOO_LARGE', `A name in the body is longer than ${maxNameLength} characters`)
  if (exceeded !== undefined || text.length < minCounted || values <= fewValues) return exceeded
  // objects with many distinct members are the slowest to create
  return jsonOutline(text, new Set(lists.keys())).members > values / 2 ? 'values' : undefined
}

/** Returns the entry for the list that is too long, without reading its items, or for the body as a whole. */
function tooManyEntry(text: string, { values, lists }: BodyLimits): InvalidEntry {
  const { lengths } = jsonOutline(text, new Set(lists.keys()))
  for (const [name, max] of lists) {
    const length = lengths.get(name) ?? 0
    if (length > max) return { ...tooLongEntry(max, length), loc: ['body', name] }
  }
  return { type: 'value_error', loc: ['body'], msg: `Value error, the body should have at most ${values} values` }
}

/** @returns undefined unless it is RFC 8259 JSON without extreme numbers: the slow parser decides */
function ordinaryJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isOrdinary(value) ? value : undefined
  } catch {
    return undefined
  }
}

function withImageTexts(written: WrittenJson | undefined, images: ExtractedBody['images']): WrittenJson | undefined {
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

/** Whether every number fits a double; others may be integers with more digits than CPython accepts. */
function isOrdinary(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  for (const member of Array.isArray(value) ? value : Object.values(value)) if (!isOrdinary(member)) return false
  return true
}
