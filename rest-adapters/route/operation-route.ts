import { z } from 'zod'
import { NotFound } from '../../foundation/fault.ts'
import { type BodyLimits, fewValues } from '../request/request-body.ts'
import type { RateLimitStanding } from '../response/rate-limit-headers.ts'
import type { PlaceOf } from '../response/violation-entry.ts'
import type { Caller, Endpoint, Method, RouteDocumentation } from './endpoint.ts'
import { type InputPlaces, inputPlace } from './input-place.ts'
import { checkedRequest, type RawRequest, type RequestRules } from './request-rules.ts'

/** An answer is the same bytes as long as its version and what was asked are the same. */
export interface RouteVersion {
  /** asks for the version alone, with the same variables; refuses what the operation of the route would refuse */
  readonly operation: string
  /** reads it from what either operation answers */
  readonly of: z.ZodType<string>
}

/** One operation, one answer. */
export interface OperationRoute extends Endpoint {
  readonly kind: 'operation'
  readonly rules: RequestRules
  readonly placeOf: PlaceOf
  /** largest body, in bytes; 0 for a route that takes none */
  readonly bodyBytes: number
  readonly bodyLimits: BodyLimits
  /** GraphQL text, parsed and checked at start */
  readonly operation: string
  /** Holds a request against the rules. @throws {InvalidRequest} with every entry: query, then header, then body */
  readonly variablesOf: (request: RawRequest) => Readonly<Record<string, unknown>>
  /** The documented body. @throws {NotFound} */
  readonly answerOf: (data: unknown, variables: Readonly<Record<string, unknown>>) => unknown
  /** headers of the request that the answer depends on */
  readonly vary: readonly string[]
  /** what a successful answer says beside its body; `query` is what was asked, without the question mark */
  readonly headersOf: ((body: unknown, query: string) => Readonly<Record<string, string>>) | undefined
  /** reads from what the operation answers how the caller stands with the route's limit; null: unlimited */
  readonly limit: z.ZodType<RateLimitStanding | null> | undefined
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
  readonly whenFailed: (() => unknown) | undefined
}

interface OperationOptions<
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
  /** most values of the body: arrays, objects, strings, numbers and literals in all (default: 20,000) */
  readonly bodyValues?: number
  /** members of the body that hold images in base64, at any depth; their fields in the operation are of type ImageContent */
  readonly images?: readonly string[]
  readonly operation: string
  /** where the request says what the operation is given, when that is not where one would look for it */
  readonly places?: InputPlaces
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
  readonly whenFailed?: () => z.output<Answer>
  readonly limit?: OperationRoute['limit']
  readonly vary?: readonly string[]
  readonly headers?: (body: z.output<Answer>, query: string) => Readonly<Record<string, string>>
}

/** A route of kind `operation`; the types of its rules flow into `variables`, that of its answer into `from`. */
export function one<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Header extends z.ZodObject = z.ZodObject,
>(options: OperationOptions<Params, Query, Body, Answer, Header>): OperationRoute {
  const { params, query, header, body, variables, status = 200, absent = 'Not Found', from } = options
  const rules = { ...(params && { params }), ...(query && { query }), ...(header && { header }), ...(body && { body }) }
  return {
    kind: 'operation',
    method: options.method,
    path: options.path,
    caller: options.caller ?? 'anyone',
    wantsToken: options.wantsToken ?? false,
    summary: options.summary,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.answerHeaders === undefined ? {} : { answerHeaders: options.answerHeaders }),
    ...(options.extension === undefined ? {} : { extension: options.extension }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    rules,
    placeOf: inputPlace({ rules, ...(options.places && { places: options.places }) }),
    bodyBytes: body === undefined ? 0 : (options.bodyBytes ?? 1024 * 1024),
    bodyLimits: { images: new Set(options.images), values: options.bodyValues ?? fewValues, lists: listsOf(body) },
    operation: options.operation,
    variablesOf(request) {
      const checked = checkedRequest(rules, request)
      if (variables === undefined) return {}
      // each part has just come out of its own schema, and one without a schema is empty
      const found = variables(checked as Parameters<typeof variables>[0])
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
    vary: options.vary ?? [],
    limit: options.limit,
    isPublic: options.isPublic ?? options.version !== undefined,
    version: options.version,
    mediaType: undefined,
    whenFailed: options.whenFailed,
  }
}

/** Members of a body that `listOf` bounds. */
function listsOf(body: z.ZodType | undefined): ReadonlyMap<string, number> {
  const members = body instanceof z.ZodObject ? Object.entries<z.ZodType>(body.shape) : []
  return new Map(
    members.flatMap(([name, rule]) => (typeof rule.meta()?.maxItems === 'number' ? [[name, Number(rule.meta()?.maxItems)]] : [])),
  )
}

/** A route of kind `operation` whose answer comes as text of a media type; `answer` describes it. */
export function text<Params extends z.ZodObject = z.ZodObject, Query extends z.ZodObject = z.ZodObject>(
  options: Omit<OperationOptions<Params, Query, z.ZodType, z.ZodString, z.ZodObject>, 'answer' | 'status' | 'body' | 'header'> & {
    readonly answer: z.ZodType
    readonly mediaType: string
  },
): OperationRoute {
  const { mediaType, answer, ...rest } = options
  return { ...one({ ...rest, answer: z.string() }), mediaType, answers: { 200: answer } }
}
