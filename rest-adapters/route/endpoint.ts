export type Method = 'GET' | 'POST'

/**
 * Who may call: `service` requires the header X-Service-API-Key, whose absence is a validation error among others; `admin` requires credentials
 * before anything else is validated.
 */
export type Caller = 'anyone' | 'service' | 'admin'

export const serviceKeyHeader = 'X-Service-API-Key'
export type Credential = 'accessToken' | 'serviceKey'

/** Documentation of a route for OpenAPI. */
export interface RouteDocumentation {
  /** credentials of which one suffices; absent: those of its caller */
  readonly credentials?: readonly Credential[]
  readonly summary: string
  readonly description?: string
  /** response headers, by name */
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** not in the interface specification: an extension of Civigraph */
  readonly extension?: true
  /** loaded by a page: not an operation and not listed */
  readonly partOfPage?: true
}

export interface Endpoint extends RouteDocumentation {
  readonly method: Method
  /** whether missing credentials are answered with a challenge for an access token (RFC 6750), not for a key */
  readonly wantsToken?: boolean
  /** `/jobs/:job_id`: a segment with a colon is a parameter */
  readonly path: string
  readonly caller: Caller
  /** its responses contain passwords, keys or tokens: they are never compressed */
  readonly hasSecrets?: true
}

/** Converts `/jobs/:job_id` to `/jobs/{job_id}`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}
