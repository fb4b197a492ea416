import type { z } from 'zod'
import type { PlaceOf } from '../response/violation-entry.ts'
import type { Endpoint } from './endpoint.ts'
import type { RawRequest, RequestRules } from './request-rules.ts'

type Variables = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

/** One page of a long answer. */
export interface Page {
  readonly rows: readonly unknown[]
  /** cursor of the next page; undefined when this is the last */
  readonly next: string | undefined
  /** what the whole answer is made of: equal tag, equal rows on all pages */
  readonly version: string
  readonly headers: Headers
}

/** How rows become the bytes of one media type. */
export interface RowWriter {
  /** @param rows - of the next page, in order   @returns what they add */
  write(rows: readonly unknown[]): string
  end(): string
  /** what a reader gets to see when the answer breaks off, where the format has a place for it */
  readonly failure?: string
}

/** A long answer: an operation run page by page until the end, written as the pages come, as fast as the client reads. */
export interface PagesRoute extends Endpoint {
  readonly kind: 'pages'
  readonly rules: RequestRules
  readonly placeOf: PlaceOf
  readonly operation: string
  /** @throws {InvalidRequest} */
  readonly variablesOf: (request: RawRequest) => Variables
  /** adds where a page begins and how long it may be */
  readonly pageVariables: (variables: Variables, after: string | undefined, first: number) => Variables
  /** @returns undefined when there is no such thing   @throws {NotFound} */
  readonly pageOf: (data: unknown, variables: Variables) => Page
  /** by media type; the first one is for callers that name none of them */
  readonly writers: Readonly<Record<string, () => RowWriter>>
  readonly answers: Readonly<Record<string, z.ZodType>>
  /** name under which a browser saves it, without the ending */
  readonly fileName?: string
  /** request headers that the answer depends on, besides Accept */
  readonly vary: readonly string[]
}

/** Cuts a body into items as it arrives. @throws {InvalidRequest} naming the place */
export interface BodyReader {
  read(text: string): readonly UploadedItem[]
  end(): readonly UploadedItem[]
}

export interface UploadedItem {
  readonly input: Variables
  readonly size: number
  place(): readonly (string | number)[]
}

/** A large body, staged piece by piece while it arrives: nothing of it is visible before the end, nothing is left when it is refused. */
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
  /** the variable of `append` that holds the items: what it refuses at an index is refused at the item's place */
  readonly itemsVariable: string
  readonly appendVariables: (id: string, sequence: number, items: readonly Variables[]) => Variables
  /** run again until `answerOf` gives an answer */
  readonly finish: string
  /** @param request - as `variablesOf` has it */
  readonly finishVariables: (id: string, request: RawRequest) => Variables
  readonly answerOf: (data: unknown) => unknown
  readonly answer: z.ZodType
}

export interface NamedFile {
  readonly id: string
  readonly bytes: number
  /** absent for bytes that nobody may keep: no-store */
  readonly sha256?: string
  /** when it is another than the route's */
  readonly mediaType?: string
  /** to save it under; any characters */
  readonly name: string
  readonly headers: Headers
}

/** An answer whose bytes lie in a file of the subgraph. */
export interface FileRoute extends Endpoint {
  readonly kind: 'file'
  readonly rules: RequestRules
  readonly placeOf: PlaceOf
  readonly operation: string
  /** @throws {InvalidRequest} */
  readonly variablesOf: (request: RawRequest) => Variables
  /** looks at the data of the operation, which is run again until this gives a file   @throws {NotFound} */
  readonly fileOf: (data: unknown, variables: Variables) => NamedFile | undefined
  readonly mediaType: string
  /** request headers that the answer depends on */
  readonly vary: readonly string[]
  /** longest time that making it may take */
  readonly timeoutMs: number
}
