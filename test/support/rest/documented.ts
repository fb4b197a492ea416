import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ComponentName } from '../../../foundation/process/build-info.ts'

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Described>> }>>>>
  readonly components: object
}

/** such as `GET /jobs/{job_id}` */
export type Operation = `${string} ${string}`

/** The operations of a component's printed OpenAPI document. */
export interface DocumentedInterface {
  /** In the order of the document. */
  readonly operations: readonly Operation[]
  /**
   * Returns the problem of a response, or undefined. JSON bodies are validated against their schema, of others only the media type.
   * @param type - the header Content-Type, undefined without a body
   */
  complaint(operation: Operation, status: number, type: string | undefined, body: string): string | undefined
}

/** @see RFC 3339, 5.6 */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': moment } })

export function documentedInterface(component: ComponentName): DocumentedInterface {
  const file = new URL(`../../../schema/rest/${component}.openapi.json`, import.meta.url)
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as OpenApi
  const described = new Map<Operation, Readonly<Record<string, Described>>>(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => [`${method.toUpperCase()} ${path}`, responses] as const),
    ),
  )
  const checks = new Map<object, ValidateFunction>()
  const checkOf = (schema: object): ValidateFunction => {
    const check = checks.get(schema) ?? ajv.compile({ ...schema, components })
    checks.set(schema, check)
    return check
  }
  return {
    operations: [...described.keys()],
    complaint(operation, status, type, body) {
      const answer = described.get(operation)?.[status]
      if (answer === undefined) return `${operation} has no status ${status}`
      if (answer.content === undefined) return body === '' ? undefined : `${operation} ${status} has no body`
      const mediaType = type?.split(';', 1)[0] ?? ''
      const content = answer.content[mediaType]
      if (content === undefined) return `${operation} ${status} has no body of type ${mediaType}`
      if (!/json$/.test(mediaType)) return undefined
      const check = checkOf(content.schema)
      return check(JSON.parse(body)) ? undefined : `${operation} ${status}: ${ajv.errorsText(check.errors)}`
    },
  }
}
