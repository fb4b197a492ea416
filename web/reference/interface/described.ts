import type { OpenApi } from './openapi.ts'

export interface Account {
  readonly email: string
  readonly password: string
}

/** Initial values for a developer. */
interface DevelopmentCredentials {
  readonly key?: string
  readonly account?: Account
}

/** The OpenAPI document of this listener, and development values. */
export interface DescribedInterface {
  readonly document: OpenApi
  readonly development: DevelopmentCredentials
}

const maxMs = 15_000

/** @throws {Error} when the listener does not return an OpenAPI document in time */
export async function readDescribed(): Promise<DescribedInterface> {
  const [document, development] = await Promise.all([readDocument(), developmentCredentials()])
  return { document: withAccount(document, development.account), development }
}

async function readDocument(): Promise<OpenApi> {
  const response = await fetch('/openapi.json', { signal: AbortSignal.timeout(maxMs) })
  if (!response.ok) throw new Error(`GET /openapi.json: ${response.status} ${response.statusText}`)
  const document: Partial<OpenApi> | null = await response.json()
  if (document?.info === undefined || document.paths === undefined) throw new Error('/openapi.json: no OpenAPI document')
  return { ...document, info: document.info, paths: document.paths }
}

/** In development only. */
async function developmentCredentials(): Promise<DevelopmentCredentials> {
  const response = await fetch('/docs/development.json', { signal: AbortSignal.timeout(maxMs) })
  return response.ok ? response.json() : {}
}

/** The login operation is filled in with the development account. */
function withAccount(document: OpenApi, account: Account | undefined): OpenApi {
  const login = document.paths['/auth/login']
  const body = login?.post?.requestBody
  if (account === undefined || body === undefined || '$ref' in body) return document
  const content = { ...body.content, 'application/json': { ...body.content['application/json'], example: account } }
  const post = { ...login?.post, requestBody: { ...body, content } }
  return { ...document, paths: { ...document.paths, '/auth/login': { ...login, post } } }
}
