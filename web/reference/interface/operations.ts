import {
  methods,
  type OpenApi,
  type Parameter,
  places,
  type Referable,
  type RequestBody,
  type Requirement,
  type ResponseObject,
} from './openapi.ts'
import { encoded, referred } from './references.ts'

/** An operation with its references resolved and its path's parameters merged. */
export interface Operation {
  /** place in the page's address after `#/`: tag and id */
  readonly place: string
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly isDeprecated: boolean
  /** extensions that are true */
  readonly marks: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly responses: readonly (readonly [status: string, response: ResponseObject])[]
  /** alternatives; empty: no credentials required */
  readonly security: readonly Requirement[]
}

/** The operations of a tag. */
export interface Group {
  readonly tag: string
  readonly description: string
  readonly operations: readonly Operation[]
}

const untagged = 'default'

/** In the order of the document's tags, then tags that it does not declare. */
export function groupsOf(document: OpenApi): readonly Group[] {
  const operations = Object.keys(document.paths).flatMap((path) => operationsAt(document, path))
  const described = new Map((document.tags ?? []).map(({ name, description = '' }) => [name, description]))
  const tags = new Set([...described.keys(), ...operations.map(({ tag }) => tag)])
  return [...tags]
    .map((tag) => ({ tag, description: described.get(tag) ?? '', operations: operations.filter((each) => each.tag === tag) }))
    .filter((group) => group.operations.length > 0)
}

function operationsAt(document: OpenApi, path: string): readonly Operation[] {
  const item = document.paths[path] ?? {}
  return methods.flatMap((method) => {
    const written = item[method]
    if (written === undefined) return []
    const { operationId: id = `${method}_${path.replace(/\W+/g, '_')}`, tags = [untagged], summary = '', description = '' } = written
    const own = resolved(document, written.parameters ?? [])
    const ofPath = resolved(document, item.parameters ?? []).filter(
      (each) => !own.some((mine) => mine.name === each.name && mine.in === each.in),
    )
    const responses = Object.entries(written.responses ?? {}).flatMap(([status, response]) => {
      const target = referred<ResponseObject>(document, response)
      return target === undefined ? [] : [[status, target] as const]
    })
    return tags.map((tag) => ({
      place: [tag, id].map(encoded).join('/'),
      id,
      tag,
      method: method.toUpperCase(),
      path,
      summary,
      description,
      isDeprecated: written.deprecated === true,
      marks: Object.entries(written).flatMap(([name, value]) => (name.startsWith('x-') && value === true ? [name] : [])),
      parameters: [...ofPath, ...own],
      body: written.requestBody && referred<RequestBody>(document, written.requestBody),
      responses,
      security: written.security ?? document.security ?? [],
    }))
  })
}

/** without parameters at an unknown location */
const resolved = (document: OpenApi, parameters: readonly Referable<Parameter>[]): readonly Parameter[] =>
  parameters.flatMap((each) => referred<Parameter>(document, each) ?? []).filter((each) => places.includes(each.in))

/** Returns whether the operation's texts contain all words. */
export function isFound(operation: Operation, words: string): boolean {
  const { method, path, id, tag, summary, description } = operation
  const text = [method, path, id, tag, summary, description].join(' ').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
