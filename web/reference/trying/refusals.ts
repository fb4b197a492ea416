import type { OpenApi, Schema } from '../interface/openapi.ts'
import type { Operation } from '../interface/operations.ts'
import { shapeOf } from '../interface/shape.ts'
import { bodyKind, type FormInput, partsOf, placeOf, wholeBody } from './form-input.ts'
import { valuesOf } from './request.ts'
import { type Violation, violationsOf } from './violations.ts'

/** A problem in the form, found before sending. */
export interface Refusal extends Omit<Violation, 'rule'> {
  readonly rule: Violation['rule'] | 'json' | 'header' | 'dots'
  /** place of the field in the form */
  readonly place: string
  /** the request cannot be sent with this value */
  readonly isFinal: boolean
}

export const bodyPlace = 'body'
export const partPlace = (name: string): string => `part ${name}`

/** @returns all problems found, in the order of the form */
export const refusalsOf = (document: OpenApi, operation: Operation, input: FormInput): readonly Refusal[] => [
  ...inParameters(document, operation, input),
  ...inBody(document, operation, input),
]

function inParameters(document: OpenApi, { parameters }: Operation, input: FormInput): readonly Refusal[] {
  return parameters.flatMap((parameter): readonly Refusal[] => {
    const { name, schema = {}, required } = parameter
    const place = placeOf(parameter)
    const values = valuesOf(parameter, input.parameters[place] ?? '')
    if (values.length === 0) return required === true ? [{ field: name, place, rule: 'required', isFinal: parameter.in === 'path' }] : []
    // dot segments shorten a path (RFC 3986, section 5.2.4), encoded ones included, so the request would reach another operation
    if (parameter.in === 'path' && /^\.\.?$/.test(values.join(','))) return [{ field: name, place, rule: 'dots', isFinal: true }]
    // characters that a header (RFC 9110, section 5.5) and the browser allow
    if (parameter.in === 'header' && !values.every((value) => /^[\x20-\x7e\xa0-\xff]*$/.test(value)))
      return [{ field: name, place, rule: 'header', isFinal: true }]
    const { schema: own } = shapeOf(document, schema)
    const value =
      own.type === 'array' ? values.map((each) => readAs(document, own.items ?? {}, each)) : readAs(document, own, values[0] ?? '')
    return violationsOf(document, schema, value, name).map((violation) => ({ ...violation, place, isFinal: false }))
  })
}

/** Returns a text as the value that the service reads. */
function readAs(document: OpenApi, schema: Schema, text: string): unknown {
  const { type } = shapeOf(document, schema).schema
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text)
  return text
}

function inBody(document: OpenApi, { body }: Operation, input: FormInput): readonly Refusal[] {
  const { mediaType = '', texts, parts } = input
  const content = body?.content[mediaType]
  if (content === undefined) return []
  const kind = bodyKind(document, mediaType, content)
  if (kind === 'form') {
    const { required = [] } = shapeOf(document, content.schema ?? {}).schema
    const missing = partsOf(document, content).filter(([name]) => required.includes(name) && (parts[name] ?? '') === '')
    return missing.map(([name]) => ({ field: name, place: partPlace(name), rule: 'required', isFinal: false }))
  }
  const isMissing = kind === 'file' ? !(parts[wholeBody] instanceof File) : (texts[mediaType] ?? '').trim() === ''
  const place = kind === 'file' ? partPlace(wholeBody) : bodyPlace
  if (isMissing) return body?.required === true ? [{ field: bodyPlace, place, rule: 'required', isFinal: false }] : []
  if (kind === 'file' || !/[/+]json$/.test(mediaType)) return []
  try {
    const value: unknown = JSON.parse(texts[mediaType] ?? '')
    return violationsOf(document, content.schema ?? {}, value, '').map((violation) => ({
      ...violation,
      field: violation.field || bodyPlace,
      place,
      isFinal: false,
    }))
  } catch (error) {
    return [{ field: bodyPlace, place, rule: 'json', allowed: error instanceof Error ? error.message : '', isFinal: false }]
  }
}
