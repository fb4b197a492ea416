import { z } from 'zod'
import { NotFound } from '../../subgraphs/foundation/fault.ts'
import { bodyEntries, type InvalidEntry, InvalidRequest, missingEntry, parameterEntries } from '../request/invalid-request.ts'
import type { RequestBody } from '../request/request-body.ts'
import type { Refusal } from '../response/fault-to-http.ts'
import type { FileRoute, PagesRoute, UploadRoute } from './streaming-routes.ts'

export type Method = 'GET' | 'POST'

/**
 * Who may call: `service` wants the header X-Service-API-Key, whose absence is a validation failure beside others; `admin` wants some
 * credentials before anything else of the request is looked at.
 */
export type Caller = 'anyone' | 'service' | 'admin'

/** A request as it came, decoded but not yet held against the route's rules. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>
  /** of a repeated parameter the last value */
  readonly query: Readonly<Record<string, string>>
  /** names in small letters */
  readonly headers: Readonly<Record<string, string>>
  /** undefined for an empty body, and for a route that takes none */
  readonly body: RequestBody | undefined
  /** required headers that are not there, as documented */
  readonly missingHeaders: readonly string[]
}

export const serviceKeyHeader = 'X-Service-API-Key'
export type Credential = 'accessToken' | 'serviceKey'

/** What the OpenAPI document says about a route. */
export interface RouteDocumentation {
  /** each of which may open it; absent: those of its caller */
  readonly credentials?: readonly Credential[]
  readonly summary: string
  readonly description?: string
  /** not in the interface specification: an addition of ours */
  readonly extension?: true
}

export interface Located extends RouteDocumentation {
  readonly method: Method
  /** a refusal for want of credentials asks for an access token (RFC 6750), not for a key */
  readonly wantsToken?: boolean
  /** `/jobs/:job_id`: a segment with a colon is a parameter of that name */
  readonly path: string
  readonly caller: Caller
}

export interface RequestRules {
  /** names in small letters */
  readonly header?: z.ZodObject
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
}

/** An answer is the same bytes as long as its version and what was asked are the same. */
export interface RouteVersion {
  /** asks for the version alone, with the same variables; refuses what the operation of the route would refuse */
  readonly operation: string
  /** reads it from what either operation answers */
  readonly of: z.ZodType<string>
}

/** One operation, one answer. */
export interface OneRoute extends Located {
  readonly kind: 'one'
  readonly rules: RequestRules
  /** largest body, in bytes; 0 for a route that takes none */
  readonly bodyBytes: number
  /** members of the body that hold images in base64, at any depth */
  readonly images: ReadonlySet<string>
  /** GraphQL text, parsed and checked at start */
  readonly operation: string
  /** Holds a request against the rules. @throws {InvalidRequest} with every entry: query, then header, then body */
  readonly variablesOf: (request: RawRequest) => Readonly<Record<string, unknown>>
  /** The documented body. @throws {NotFound} */
  readonly answerOf: (data: unknown, variables: Readonly<Record<string, unknown>>) => unknown
  /** what a successful answer says beside its body; `query` is what was asked, without the question mark */
  readonly headersOf: ((body: unknown, query: string) => Readonly<Record<string, string>>) | undefined
  readonly statusOf: (body: unknown) => number
  /** the documented body's schema, by status */
  readonly answers: Readonly<Record<number, z.ZodType>>
  /** may answers be kept by anyone: strong ETag and 304, instead of no-store */
  readonly isPublic: boolean
  /** how the version of an answer is known, also without making the answer */
  readonly version: RouteVersion | undefined
  /** of an answer that is text as it is, instead of JSON to be written */
  readonly mediaType: string | undefined
  /** the body to answer when the operation failed, instead of a refusal */
  readonly whenFailed: ((refusal: Refusal | undefined) => unknown) | undefined
}

/** The same bytes for everybody, made once at start. */
export interface FixedRoute extends Located {
  readonly kind: 'fixed'
  readonly mediaType: string
  readonly content: string
  /** besides those of every answer */
  readonly headers?: Readonly<Record<string, string>>
  /** strong ETag and 304, instead of no-store */
  readonly isPublic: boolean
  /** loaded by a page: no operation, so in no list of operations */
  readonly partOfPage?: true
}

/** Answered over WebSocket, by what the listener has for that; without an upgrade it is 426. */
export interface SocketRoute extends Located {
  readonly kind: 'socket'
  readonly rules: Pick<RequestRules, 'query'>
}

/** A route is data; each kind has one handler. */
export type Route = OneRoute | FixedRoute | PagesRoute | UploadRoute | FileRoute | SocketRoute

interface OneOptions<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Header extends z.ZodObject,
> extends RouteDocumentation {
  readonly method: Method
  readonly path: string
  readonly caller?: Caller
  readonly wantsToken?: boolean
  readonly params?: Params
  readonly query?: Query
  readonly header?: Header
  readonly body?: Body
  readonly bodyBytes?: number
  /** members of the body that hold images in base64, at any depth; their fields in the operation are of type ImageContent */
  readonly images?: readonly string[]
  readonly operation: string
  readonly variables?: (request: {
    readonly params: z.output<Params>
    readonly query: z.output<Query>
    readonly header: z.output<Header>
    readonly body: z.output<Body>
  }) => Readonly<Record<string, unknown>>
  /** status of an answer, or several with the rule that chooses */
  readonly status?: number | { readonly among: readonly number[]; readonly of: (body: z.output<Answer>) => number }
  /** the documented body */
  readonly answer: Answer
  /** reads the operation's data (and, as its member `variables`, what it was asked with) and makes the documented body of it; null when there is no such thing */
  readonly from: z.ZodType<z.output<Answer> | null>
  /** the sentence of the 404 for null */
  readonly absent?: string
  readonly isPublic?: boolean
  /** makes it public, with a tag that is compared before an answer is made */
  readonly version?: RouteVersion
  readonly whenFailed?: (refusal: Refusal | undefined) => z.output<Answer>
  readonly headers?: (body: z.output<Answer>, query: string) => Readonly<Record<string, string>>
}

/** A route of kind `one`; the types of its rules flow into `variables`, that of its answer into `from`. */
export function one<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Header extends z.ZodObject = z.ZodObject,
>(options: OneOptions<Params, Query, Body, Answer, Header>): OneRoute {
  const { params, query, header, body, variables, status = 200, absent = 'Not Found', from } = options
  const empty = z.object({})
  return {
    kind: 'one',
    method: options.method,
    path: options.path,
    caller: options.caller ?? 'anyone',
    wantsToken: options.wantsToken ?? false,
    summary: options.summary,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.extension === undefined ? {} : { extension: options.extension }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    rules: { ...(params && { params }), ...(query && { query }), ...(header && { header }), ...(body && { body }) },
    bodyBytes: body === undefined ? 0 : (options.bodyBytes ?? 1024 * 1024),
    images: new Set(options.images),
    operation: options.operation,
    variablesOf(request) {
      const entries: InvalidEntry[] = []
      const keep = (found: readonly InvalidEntry[]): undefined => void entries.push(...found)
      const readParams = (params ?? empty).safeParse(request.params)
      const readQuery = (query ?? empty).safeParse(request.query)
      if (!readParams.success) keep(parameterEntries('path', readParams.error, request.params))
      if (!readQuery.success) keep(parameterEntries('query', readQuery.error, request.query))
      const readHeader = (header ?? empty).safeParse(request.headers)
      if (!readHeader.success) keep(parameterEntries('header', readHeader.error, request.headers))
      keep(request.missingHeaders.map((name) => missingEntry(['header', name])))
      const readBody = request.body === undefined ? undefined : body?.safeParse(request.body.value)
      if (body !== undefined && request.body === undefined) keep([missingEntry(['body'])])
      else if (readBody?.success === false && request.body !== undefined) keep(bodyEntries(readBody.error, request.body))
      if (entries.length > 0) throw new InvalidRequest(entries)
      if (variables === undefined) return {}
      // Each part has just come out of its own schema (or of the empty one, for a part that has none).
      const found = variables({
        params: readParams.data as z.output<Params>,
        query: readQuery.data as z.output<Query>,
        header: readHeader.data as z.output<Header>,
        body: readBody?.data as z.output<Body>,
      })
      return request.body?.withImages?.(found) ?? found
    },
    answerOf(data, variables) {
      const answer = from.parse({ ...(data as object), variables })
      if (answer === null) throw new NotFound(absent)
      return answer
    },
    // the body is what `answerOf` or `whenFailed` of this same route returned
    statusOf: typeof status === 'number' ? () => status : (answer) => status.of(answer as z.output<Answer>),
    answers: Object.fromEntries((typeof status === 'number' ? [status] : status.among).map((code) => [code, options.answer])),
    headersOf: options.headers && ((body, text) => options.headers?.(body as z.output<Answer>, text) ?? {}),
    isPublic: options.isPublic ?? options.version !== undefined,
    version: options.version,
    mediaType: undefined,
    whenFailed: options.whenFailed,
  }
}

/** A route of kind `one` whose answer comes as text of a media type; `answer` describes it. */
export function text<Params extends z.ZodObject = z.ZodObject, Query extends z.ZodObject = z.ZodObject>(
  options: Omit<OneOptions<Params, Query, z.ZodType, z.ZodString, z.ZodObject>, 'answer' | 'status' | 'body' | 'header'> & {
    readonly answer: z.ZodType
    readonly mediaType: string
  },
): OneRoute {
  const { mediaType, answer, ...rest } = options
  return { ...one({ ...rest, answer: z.string() }), mediaType, answers: { 200: answer } }
}

export function fixed(options: Omit<FixedRoute, 'kind' | 'method' | 'caller' | 'isPublic'> & { readonly isPublic?: boolean }): FixedRoute {
  return { kind: 'fixed', method: 'GET', caller: 'anyone', isPublic: true, ...options }
}

/** `/jobs/:job_id` as `/jobs/{job_id}` */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}
