import { z } from 'zod'
import { NotFound } from '../../foundation/fault.ts'
import { type BodyLimits, fewValues } from '../request/request-body.ts'
import type { RateLimitState } from '../response/rate-limit-headers.ts'
import type { PlaceOf } from '../response/violation-entry.ts'
import type { Caller, Endpoint, Method, RouteDocumentation } from './endpoint.ts'
import { checkedRequest, type InputPlaces, inputPlace, type RawRequest, type RequestRules } from './request-rules.ts'

/** The version of a response: equal version and variables mean equal bytes. */
export interface RouteVersion {
  /** queries only the version, with the same variables; refuses what the operation of the route would refuse */
  readonly operation: string
  /** reads the version from the result of either operation */
  readonly of: z.ZodType<string>
  /** whether the response to these variables has no version: it is not cached */
  readonly isAbsentFor: (variables: Readonly<Record<string, unknown>>) => boolean
}

/** A route answered by one operation. */
export interface OperationRoute extends Endpoint {
  readonly kind: 'operation'
  readonly rules: RequestRules
  readonly placeOf: PlaceOf
  /** maximum body in bytes; 0 for a route without one */
  readonly bodyBytes: number
  readonly bodyLimits: BodyLimits
  /** GraphQL text, parsed and checked at start */
  readonly operation: string
  /** Validates a request. @throws {InvalidRequest} with every entry: query, then header, then body */
  readonly variablesOf: (request: RawRequest) => Readonly<Record<string, unknown>>
  /** Returns the documented body. @throws {NotFound} */
  readonly answerOf: (data: unknown, variables: Readonly<Record<string, unknown>>) => unknown
  /** request headers on which the response depends */
  readonly vary: readonly string[]
  /** returns headers of a successful response; `query` is the query string without the question mark */
  readonly headersOf: ((body: unknown, query: string) => Readonly<Record<string, string>>) | undefined
  /** reads the remaining quota of the route's limit from the result; null: unlimited */
  readonly limit: z.ZodType<RateLimitState | null> | undefined
  readonly statusOf: (body: unknown) => number
  /** schema of the documented body, by status */
  readonly answers: Readonly<Record<number, z.ZodType>>
  /** whether responses are public: strong ETag and 304 instead of no-store */
  readonly isPublic: boolean
  /** how the version of a response is determined */
  readonly version: RouteVersion | undefined
  /** media type of a text response; undefined: JSON */
  readonly mediaType: string | undefined
  /** returns the body to send instead of a refusal if the operation failed */
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
  readonly hasSecrets?: true
  readonly params?: Params
  readonly query?: Query
  readonly header?: Header
  readonly body?: Body
  readonly bodyBytes?: number
  /** maximum values of the body: arrays, objects, strings, numbers and literals (default: 20,000) */
  readonly bodyValues?: number
  /** members of the body with base64 images at any depth; their fields in the operation have type ImageContent */
  readonly images?: readonly string[]
  readonly operation: string
  /** locations of inputs in the request that differ from the default */
  readonly places?: InputPlaces
  readonly variables?: (request: {
    readonly params: z.output<Params>
    readonly query: z.output<Query>
    readonly header: z.output<Header>
    readonly body: z.output<Body>
  }) => Readonly<Record<string, unknown>>
  /** status, or several with the rule that selects one */
  readonly status?: number | { readonly among: readonly number[]; readonly of: (body: z.output<Answer>) => number }
  /** the documented body */
  readonly answer: Answer
  /** converts the operation's data (with its variables as the member `variables`) to the documented body; null if the object does not exist */
  readonly from: z.ZodType<z.output<Answer> | null>
  /** message of the 404 for null */
  readonly absent?: string
  readonly isPublic?: boolean
  /** makes it public, with an entity tag that is compared before the response is computed */
  readonly version?: RouteVersion
  readonly whenFailed?: () => z.output<Answer>
  readonly limit?: OperationRoute['limit']
  readonly vary?: readonly string[]
  readonly headers?: (body: z.output<Answer>, query: string) => Readonly<Record<string, string>>
}

/** Defines a route of kind `operation`; the types of its rules flow into `variables`, that of its response into `from`. */
export function operationRoute<
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
    ...(options.hasSecrets && { hasSecrets: options.hasSecrets }),
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
      // each part is the output of its own schema; a part without a schema is empty
      const input = variables(checked as Parameters<typeof variables>[0])
      return request.body?.withImages?.(input) ?? input
    },
    answerOf(data, variables) {
      const answer = from.parse({ ...(data as object), variables })
      if (answer === null) throw new NotFound(absent)
      return answer
    },
    // the body was returned by `answerOf` or `whenFailed` of this route
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

/** Members of a body that `listOf` limits. */
function listsOf(body: z.ZodType | undefined): ReadonlyMap<string, number> {
  const members = body instanceof z.ZodObject ? Object.entries<z.ZodType>(body.shape) : []
  return new Map(
    members.flatMap(([name, rule]) => (typeof rule.meta()?.maxItems === 'number' ? [[name, Number(rule.meta()?.maxItems)]] : [])),
  )
}

/** Defines a route of kind `operation` with a text response; `answer` describes it. */
export function text<Params extends z.ZodObject = z.ZodObject, Query extends z.ZodObject = z.ZodObject>(
  options: Omit<OperationOptions<Params, Query, z.ZodType, z.ZodString, z.ZodObject>, 'answer' | 'status' | 'body' | 'header'> & {
    readonly answer: z.ZodType
    readonly mediaType: string
  },
): OperationRoute {
  const { mediaType, answer, ...rest } = options
  return { ...operationRoute({ ...rest, answer: z.string() }), mediaType, answers: { 200: answer } }
}
