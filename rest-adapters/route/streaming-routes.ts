import type { z } from 'zod'
import type { PlaceOf } from '../response/violation-entry.ts'
import type { Endpoint } from './endpoint.ts'
import type { RawRequest, RequestRules } from './request-rules.ts'

type Variables = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

/** A page of a long response. */
export interface Page {
  readonly rows: readonly unknown[]
  /** cursor of the next page; undefined for the last one */
  readonly next: string | undefined
  /** version of the whole response: equal versions mean consistent pages */
  readonly version: string
  readonly headers: Headers
}

/** Serialises rows in a media type. */
export interface RowWriter {
  /**
   * @param rows - rows of the next page, in order
   * @returns the text to append
   */
  write(rows: readonly unknown[]): string
  end(): string
  /** text that marks an interrupted response, if the format allows it */
  readonly failure?: string
}

/** A streamed response: an operation run page by page, written at the speed of the client. */
export interface PagesRoute extends Endpoint {
  readonly kind: 'pages'
  readonly rules: RequestRules
  readonly placeOf: PlaceOf
  readonly operation: string
  /** @throws {InvalidRequest} */
  readonly variablesOf: (request: RawRequest) => Variables
  /** adds start and size of a page */
  readonly pageVariables: (variables: Variables, after: string | undefined, first: number) => Variables
  /**
   * @returns undefined if the object does not exist
   * @throws {NotFound}
   */
  readonly pageOf: (data: unknown, variables: Variables) => Page
  /** by media type; the first one is the default */
  readonly writers: Readonly<Record<string, (request: RawRequest) => RowWriter>>
  /** media type that the request names besides `Accept` */
  readonly mediaTypeOf?: (request: RawRequest) => string | undefined
  /** an export: saved as a file, one at a time for each address */
  readonly isExport?: true
  readonly answers: Readonly<Record<string, z.ZodType>>
  /** file name for browsers, without extension */
  readonly fileName?: string
  /** request headers on which the response depends, besides Accept */
  readonly vary: readonly string[]
}

/** Splits a body into items as it arrives. @throws {InvalidRequest} naming the location */
export interface BodyReader {
  read(text: string): readonly UploadedItem[]
  end(): readonly UploadedItem[]
}

export interface UploadedItem {
  readonly input: Variables
  readonly size: number
  place(): readonly (string | number)[]
}

/** A large body that is staged while it arrives: nothing is visible before the end, and nothing remains if it is refused. */
export interface UploadRoute extends Endpoint {
  readonly kind: 'upload'
  readonly rules: RequestRules
  readonly placeOf: PlaceOf
  readonly bodyBytes: number
  /** @throws {InvalidRequest} */
  readonly variablesOf: (request: RawRequest) => Variables
  /** by media type */
  readonly bodies: Readonly<Record<string, z.ZodType>>
  readonly readers: Readonly<Record<string, () => BodyReader>>
  readonly start: string
  readonly idOf: (data: unknown) => string
  readonly append: string
  /** variable of `append` with the items; its violations are mapped to the items' locations */
  readonly itemsVariable: string
  readonly appendVariables: (id: string, sequence: number, items: readonly Variables[]) => Variables
  /** run again until `answerOf` returns a response */
  readonly finish: string
  /** @param request - as for `variablesOf` */
  readonly finishVariables: (id: string, request: RawRequest) => Variables
  readonly answerOf: (data: unknown) => unknown
  readonly answer: z.ZodType
}

export interface NamedFile {
  readonly id: string
  readonly bytes: number
  /** absent for content that must not be cached: no-store */
  readonly sha256?: string
  /** if it differs from the route's */
  readonly mediaType?: string
  /** file name; may contain any characters */
  readonly name: string
  readonly headers: Headers
}

/** A response whose content is a file of the subgraph. */
export interface FileRoute extends Endpoint {
  readonly kind: 'file'
  readonly rules: RequestRules
  readonly placeOf: PlaceOf
  readonly operation: string
  /** @throws {InvalidRequest} */
  readonly variablesOf: (request: RawRequest) => Variables
  /** reads the data of the operation, which is run again until this returns a file @throws {NotFound} */
  readonly fileOf: (data: unknown, variables: Variables) => NamedFile | undefined
  readonly mediaType: string
  /** request headers on which the response depends */
  readonly vary: readonly string[]
  /** time limit for creating it */
  readonly timeoutMs: number
}
