import createClient, { type Client } from 'openapi-fetch'
import { errorOfResponse } from '../errors/refusals.ts'
import { boundedFetch } from '../http/bounded-fetch.ts'
import type { paths as AdministrationPaths } from './generated/administration.ts'
import type { paths as ClassificationPaths } from './generated/classification.ts'
import type { components as ContentComponents, paths as ContentPaths } from './generated/content.ts'
import type { paths as ExplorationPaths } from './generated/exploration.ts'
import type { components as VerificationComponents, paths as VerificationPaths } from './generated/verification.ts'

export interface RestOptions {
  /** base URL of the component, such as http://127.0.0.1:4001 */
  readonly baseUrl: string
  readonly headers?: Readonly<Record<string, string>>
  /** fetch implementation (default: the global fetch) */
  readonly fetch?: typeof fetch
  /** response timeout in ms (default: 30,000) */
  readonly timeoutMs?: number
}

/** Clients of the documented REST operations, one per component, typed by its OpenAPI document. */
export const administrationClient = (options: RestOptions): Client<AdministrationPaths> => clientOf(options)
export const classificationClient = (options: RestOptions): Client<ClassificationPaths> => clientOf(options)
/** NDJSON and PDF responses are read with `parseAs`. */
export const contentClient = (options: RestOptions): Client<ContentPaths, Json> => clientOf<ContentPaths, Json>(options)
export const explorationClient = (options: RestOptions): Client<ExplorationPaths> => clientOf(options)
export const verificationClient = (options: RestOptions): Client<VerificationPaths> => clientOf(options)

/** Request and response types of component A, by their names in its OpenAPI document. */
export type VerificationSchemas = VerificationComponents['schemas']
/** Request and response types of component E. */
export type ContentSchemas = ContentComponents['schemas']

/**
 * Returns the body of a REST response: `const job = await answerOf(verification.POST('/jobs/submit', { … }))`. Check `response.status`
 * first after sending `If-None-Match`: 304 has no body and is thrown.
 * @throws {CivigraphError} a refusal, as an instance of its class
 * @throws {NoAnswerError} when no response arrived
 */
export async function answerOf<TData>(answering: Promise<FetchResult<TData>>): Promise<TData> {
  const { data, error, response } = await answering
  if (!response.ok) throw errorOfResponse(response, error)
  // an operation without a body returns undefined, as its type states
  return data as TData
}

interface FetchResult<TData> {
  readonly data?: TData
  readonly error?: unknown
  readonly response: Response
}

type Json = 'application/json'

/** @typeParam TMedia - media types of the responses that are parsed (default: any) */
function clientOf<TPaths extends object, TMedia extends `${string}/${string}` = `${string}/${string}`>({
  baseUrl,
  headers = {},
  fetch: send = fetch,
  timeoutMs = 30_000,
}: RestOptions): Client<TPaths, TMedia> {
  const bounded = boundedFetch(send, timeoutMs)
  return createClient<TPaths, TMedia>({ baseUrl, headers: { ...headers }, fetch: (request) => bounded(request) })
}
