import type { Content, OpenApi, Parameter, Schema } from '../interface/openapi.ts'
import type { Operation } from '../interface/operations.ts'
import { codeOf, exampleOf, sampleOf } from '../interface/sample.ts'
import { shapeOf } from '../interface/shape.ts'

/** The input of a trial request. */
export interface FormInput {
  /** by place of the parameter; empty: not sent */
  readonly parameters: Readonly<Record<string, string>>
  /** accepted media type of the response; undefined: there is no choice */
  readonly accept: string | undefined
  /** media type of the body; undefined: no body */
  readonly mediaType: string | undefined
  /** body text by media type */
  readonly texts: Readonly<Record<string, string>>
  /** form fields, or the file that is the whole body */
  readonly parts: Readonly<Record<string, string | File>>
}

/** place of a file that is the whole body */
export const wholeBody = ''

export const placeOf = ({ in: place, name }: Parameter): string => `${place} ${name}`

/** Form of a body: text, form fields, or a file. */
export type BodyKind = 'text' | 'form' | 'file'

export function bodyKind(document: OpenApi, mediaType: string, { schema = {} }: Content): BodyKind {
  if (/^multipart\/form-data|^application\/x-www-form-urlencoded/.test(mediaType)) return 'form'
  return isFile(document, schema) || /^application\/octet-stream|^image\/|^application\/pdf/.test(mediaType) ? 'file' : 'text'
}

/** Returns whether a value is binary. */
export function isFile(document: OpenApi, schema: Schema): boolean {
  const { format, contentEncoding, contentMediaType, type } = shapeOf(document, schema).schema
  return format === 'binary' || (contentMediaType === 'application/octet-stream' && contentEncoding === undefined && type !== 'object')
}

/** Returns the fields of a form body. */
export const partsOf = (document: OpenApi, { schema = {} }: Content): readonly (readonly [name: string, schema: Schema])[] =>
  Object.entries(shapeOf(document, schema).schema.properties ?? {})

/** Returns the initial input: required values, from the document's examples. */
export function initialInput(document: OpenApi, operation: Operation): FormInput {
  const contents = operation.body?.content ?? {}
  const answers = operation.responses.filter(([status]) => status.startsWith('2')).flatMap(([, { content = {} }]) => Object.keys(content))
  const needed = operation.parameters.filter(({ required }) => required === true)
  return {
    parameters: Object.fromEntries(
      needed.map((each) => [
        placeOf(each),
        codeOf(each.example ?? (each.schema?.type === 'array' ? '' : sampleOf(document, each.schema ?? {}))),
      ]),
    ),
    accept: [...new Set(answers)][0],
    mediaType: Object.keys(contents)[0],
    texts: Object.fromEntries(Object.entries(contents).map(([type, content]) => [type, codeOf(exampleOf(document, content))])),
    parts: Object.fromEntries(
      Object.values(contents).flatMap((content) => {
        const { example } = content
        const members: Readonly<Record<string, unknown>> = typeof example === 'object' && example !== null ? { ...example } : {}
        return partsOf(document, content).map(([name]) => [name, members[name] === undefined ? '' : codeOf(members[name])])
      }),
    ),
  }
}
