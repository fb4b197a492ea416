export type Method = 'GET' | 'POST'

/**
 * Who may call: `service` wants the header X-Service-API-Key, whose absence is a validation failure beside others; `admin` wants some
 * credentials before anything else of the request is looked at.
 */
export type Caller = 'anyone' | 'service' | 'admin'

export const serviceKeyHeader = 'X-Service-API-Key'
export type Credential = 'accessToken' | 'serviceKey'

/** What the OpenAPI document says about a route. */
export interface RouteDocumentation {
  /** each of which may open it; absent: those of its caller */
  readonly credentials?: readonly Credential[]
  readonly summary: string
  readonly description?: string
  /** what an answer says beside its body, by name of the header */
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** not in the interface specification: an addition of ours */
  readonly extension?: true
  /** loaded by a page: no operation, so in no list of operations */
  readonly partOfPage?: true
}

export interface Endpoint extends RouteDocumentation {
  readonly method: Method
  /** a refusal for want of credentials asks for an access token (RFC 6750), not for a key */
  readonly wantsToken?: boolean
  /** `/jobs/:job_id`: a segment with a colon is a parameter of that name */
  readonly path: string
  readonly caller: Caller
}

/** `/jobs/:job_id` as `/jobs/{job_id}` */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}
