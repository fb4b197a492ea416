import createClient, { type Client } from 'openapi-fetch'
import { errorOfResponse } from '../errors/refusals.ts'
import { boundedFetch } from '../http/bounded-fetch.ts'
import type { paths as AdministrationPaths } from './generated/administration.ts'
import type { paths as ClassificationPaths } from './generated/classification.ts'
import type { components as ContentComponents, paths as ContentPaths } from './generated/content.ts'
import type { paths as ExplorationPaths } from './generated/exploration.ts'
import type { components as VerificationComponents, paths as VerificationPaths } from './generated/verification.ts'

export interface RestOptions {
  /** of the component, such as http://127.0.0.1:4001 */
  readonly baseUrl: string
  readonly headers?: Readonly<Record<string, string>>
  /** (default: the platform's own) */
  readonly fetch?: typeof fetch
  /** ms until an answer must be here (default: 30,000) */
  readonly timeoutMs?: number
}

/** Clients of the documented REST operations, a component each; what they take and give is typed by its OpenAPI document. */
export const administrationClient = (options: RestOptions): Client<AdministrationPaths> => clientOf(options)
export const classificationClient = (options: RestOptions): Client<ClassificationPaths> => clientOf(options)
/** Lines and a PDF, which its operations answer where they are asked for, are read with `parseAs`. */
export const contentClient = (options: RestOptions): Client<ContentPaths, Json> => clientOf<ContentPaths, Json>(options)
export const explorationClient = (options: RestOptions): Client<ExplorationPaths> => clientOf(options)
export const verificationClient = (options: RestOptions): Client<VerificationPaths> => clientOf(options)

/** What the operations of component A take and give, by the names of its OpenAPI document. */
export type VerificationSchemas = VerificationComponents['schemas']
/** Likewise of component E. */
export type ContentSchemas = ContentComponents['schemas']

/**
 * What an operation has answered: `const job = await answerOf(verification.POST('/jobs/submit', { … }))`.
 * Who sends `If-None-Match` looks at `response.status` first: 304 has no answer to give, and is thrown.
 * @throws {CivigraphError} a refusal, as its class   @throws {NoAnswerError} when nobody has answered
 */
export async function answerOf<TData>(answering: Promise<Answered<TData>>): Promise<TData> {
  const { data, error, response } = await answering
  if (!response.ok) throw errorOfResponse(response, error)
  // an operation without a body gives undefined, as its type says
  return data as TData
}

interface Answered<TData> {
  readonly data?: TData
  readonly error?: unknown
  readonly response: Response
}

type Json = 'application/json'

/** @typeParam TMedia - of the answers that are read as what they are (default: of any) */
function clientOf<TPaths extends object, TMedia extends `${string}/${string}` = `${string}/${string}`>({
  baseUrl,
  headers = {},
  fetch: send = fetch,
  timeoutMs = 30_000,
}: RestOptions): Client<TPaths, TMedia> {
  const bounded = boundedFetch(send, timeoutMs)
  return createClient<TPaths, TMedia>({ baseUrl, headers: { ...headers }, fetch: (request) => bounded(request) })
}
