import type { Credential } from '../access/credentials.ts'
import type { OpenApi, Parameter } from '../interface/openapi.ts'
import type { Operation } from '../interface/operations.ts'
import { encoded } from '../interface/references.ts'
import { bodyKind, type FormInput, partsOf, placeOf, wholeBody } from './form-input.ts'

/** A request, for sending and for the curl command. */
export interface MadeRequest {
  readonly method: string
  /** path on this listener, whatever servers the document names */
  readonly url: URL
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** separate from other headers: the command does not contain them */
  readonly credentials: readonly Credential[]
  /** undefined: no body */
  readonly body: MadeBody | undefined
}

export type MadeBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string | File])[]; readonly isEncoded: boolean }
  | { readonly kind: 'file'; readonly file: File }

/** Returns the values of a parameter; a list has one per line. */
export const valuesOf = ({ schema }: Parameter, text: string): readonly string[] =>
  schema?.type === 'array' ? text.split('\n').filter((line) => line !== '') : text === '' ? [] : [text]

/** @param origin - of this page */
export function requestOf(
  document: OpenApi,
  operation: Operation,
  input: FormInput,
  { origin, credentials }: { readonly origin: string; readonly credentials: readonly Credential[] },
): MadeRequest {
  const typed = (place: Parameter['in']): readonly (readonly [parameter: Parameter, values: readonly string[]])[] =>
    operation.parameters
      .filter((each) => each.in === place)
      .map((each) => [each, valuesOf(each, input.parameters[placeOf(each)] ?? '')] as const)
      .filter(([, values]) => values.length > 0)
  const url = new URL(origin)
  url.pathname = typed('path').reduce(
    (path, [{ name }, values]) => path.replaceAll(`{${name}}`, () => values.map(encoded).join(',')),
    operation.path,
  )
  url.search = typed('query')
    .flatMap(([{ name, explode = true }, values]) => {
      const written = values.map(encoded)
      return (explode ? written : [written.join(',')]).map((value) => `${encoded(name)}=${value}`)
    })
    .join('&')
  const cookies = typed('cookie').map(([{ name }, values]) => `${name}=${values.map(encoded).join(',')}`)
  const body = bodyOf(document, operation, input)
  // the browser adds the boundary of a form
  const hasMediaType = input.mediaType !== undefined && body !== undefined && body.kind !== 'form'
  return {
    method: operation.method,
    url,
    headers: [
      ...(input.accept === undefined ? [] : [['Accept', input.accept] as const]),
      ...typed('header').map(([{ name }, values]) => [name, values.join(',')] as const),
      ...(hasMediaType ? [['Content-Type', input.mediaType] as const] : []),
      ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ],
    credentials,
    body,
  }
}

function bodyOf(document: OpenApi, operation: Operation, { mediaType, texts, parts }: FormInput): MadeBody | undefined {
  const content = mediaType === undefined ? undefined : operation.body?.content[mediaType]
  if (mediaType === undefined || content === undefined) return undefined
  const kind = bodyKind(document, mediaType, content)
  if (kind === 'form') {
    const fields = partsOf(document, content).flatMap(([name]) => {
      const value = parts[name] ?? ''
      return value === '' ? [] : [[name, value] as const]
    })
    return { kind, fields, isEncoded: mediaType.startsWith('application/x-www-form-urlencoded') }
  }
  if (kind === 'file') {
    const file = parts[wholeBody]
    return file instanceof File ? { kind, file } : undefined
  }
  const text = texts[mediaType] ?? ''
  return text === '' && operation.body?.required !== true ? undefined : { kind, text }
}
