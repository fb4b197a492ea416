/** The part of an OpenAPI document (3.0 or 3.1) that the page shows. @see https://spec.openapis.org/oas/v3.1.0 */
export interface OpenApi {
  readonly info: {
    readonly title: string
    readonly version?: string
    readonly description?: string
    readonly termsOfService?: string
    readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
    readonly license?: { readonly name: string; readonly url?: string }
  }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
  }
  readonly security?: readonly Requirement[]
}

/** A value, or a reference to one. */
export type Referable<Thing> = Thing | { readonly $ref: string }

/** Location of a parameter in a request. */
export const places = ['path', 'query', 'header', 'cookie'] as const

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

export type PathItem = { readonly [method in (typeof methods)[number]]?: OperationObject } & {
  readonly parameters?: readonly Referable<Parameter>[]
}

export interface OperationObject {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly Referable<Parameter>[]
  readonly requestBody?: Referable<RequestBody>
  readonly responses?: Readonly<Record<string, Referable<ResponseObject>>>
  readonly security?: readonly Requirement[]
}

export interface Parameter {
  readonly name: string
  readonly in: (typeof places)[number]
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly description?: string
  readonly explode?: boolean
  readonly schema?: Schema
  readonly example?: unknown
}

/** By media type. */
export type Contents = Readonly<Record<string, Content>>

export interface Content {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}

export interface RequestBody {
  readonly description?: string
  readonly required?: boolean
  readonly content: Contents
}

export interface ResponseObject {
  readonly description?: string
  readonly headers?: Readonly<Record<string, Referable<Omit<Parameter, 'name' | 'in'>>>>
  readonly content?: Contents
}

/** Schemes that an operation requires together. */
export type Requirement = Readonly<Record<string, readonly string[]>>

export interface SecurityScheme {
  readonly type: string
  readonly description?: string
  /** of `http` */
  readonly scheme?: string
  /** of `apiKey` */
  readonly in?: 'header' | 'query' | 'cookie'
  readonly name?: string
}

/** The part of JSON Schema that API descriptions use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly nullable?: boolean
  readonly deprecated?: boolean
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly contentMediaType?: string
  readonly contentEncoding?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly not?: Schema
}
