import type { z } from 'zod'
import type { RequestBody } from '../request/request-body.ts'
import { type InvalidEntry, InvalidRequest, missingEntry, unknownEntry } from '../response/invalid-request.ts'
import { bodyEntries, parameterEntries } from '../response/issue-entries.ts'

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
  /** parameters of the query that an operation of ours does not have; the documented ones ignore what they do not know */
  readonly unknownParameters: readonly string[]
}

/** What a route wants of a request; a part without a rule is not looked at. */
export interface RequestRules {
  /** names in small letters */
  readonly header?: z.ZodObject
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
}

type Part = Readonly<Record<string, unknown>>

/** What a request says, each part as its own rule gives it; empty for a part without a rule. */
export interface CheckedRequest {
  readonly params: Part
  readonly query: Part
  readonly header: Part
  readonly body: unknown
}

/** Holds a request against the rules. @throws {InvalidRequest} with every entry: path, query, header, body */
export function checkedRequest({ params, query, header, body }: RequestRules, request: RawRequest): CheckedRequest {
  const entries: InvalidEntry[] = []
  const read = (where: 'path' | 'query' | 'header', rule: z.ZodObject | undefined, values: Readonly<Record<string, string>>): Part => {
    const found = rule?.safeParse(values)
    if (found?.success === false) entries.push(...parameterEntries(where, found.error, values))
    return found?.data ?? nothing
  }
  const checked = {
    params: read('path', params, request.params),
    query: read('query', query, request.query),
    header: read('header', header, request.headers),
  }
  entries.push(...request.unknownParameters.map((name) => unknownEntry(['query', name], request.query[name])))
  entries.push(...request.missingHeaders.map((name) => missingEntry(['header', name])))
  const refusals = request.body?.refusals
  const checkedBody =
    body === undefined || request.body === undefined || refusals !== undefined ? undefined : body.safeParse(request.body.value)
  if (body !== undefined && request.body === undefined) entries.push(missingEntry(['body']))
  else if (refusals !== undefined) entries.push(...refusals)
  else if (checkedBody?.success === false && request.body !== undefined) entries.push(...bodyEntries(checkedBody.error, request.body))
  if (entries.length > 0) throw new InvalidRequest(entries)
  return { ...checked, body: checkedBody?.data }
}

const nothing: Part = {}
