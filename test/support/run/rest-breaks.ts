import { apiCompare } from 'api-smart-diff'
import { z } from 'zod'
import type { BreakingEntry } from './changelog.ts'

/** A breaking change of a REST document. */
export interface RestBreak {
  readonly description: string
  /** `GET /figures`; for what belongs to no operation, the part of the document. */
  readonly operation: string
  /** The changed part: a parameter, a member, a status, `security`, `operationId`; absent when all of it is removed. */
  readonly part?: string
}

const Named = z.object({ name: z.string() })

/**
 * Returns the breaking changes between two OpenAPI documents, or two AsyncAPI documents. Schemas are compared where operations use them:
 * requests and responses break in opposite directions.
 */
export function restBreaks(before: object, after: object): readonly RestBreak[] {
  const { diffs } = apiCompare(rulesOf(before), rulesOf(after))
  // a changed type is reported once, and not for each of its former members
  const retyped = diffs.filter(({ action, path }) => action === 'replace' && path.at(-1) === 'type').map(({ path }) => path)
  const isMemberOf = (path: readonly PropertyKey[], type: readonly PropertyKey[]): boolean =>
    ['properties', 'required'].includes(String(path[type.length - 1])) && type.slice(0, -1).every((step, at) => path[at] === step)
  return diffs.flatMap((change) => {
    if (retyped.some((type) => isMemberOf(change.path, type))) return []
    const path = change.path.map(String)
    const [section = '', route = '', method = '', ...rest] = path
    const isOperation = section === 'paths'
    const isBreaking = isOperation ? change.type === 'breaking' || isAcceptedByLibrary(change.action, rest) : isOfAll(change.action, path)
    if (!isBreaking) return []
    const operation = isOperation ? `${method.toUpperCase()} ${route}`.trim() : [section, route].join('.')
    const part = isOperation ? partOf(before, [section, route, method], rest) : path.at(-1)
    const description = `${operation}: ${change.action} ${(isOperation ? rest : path.slice(2)).join('/') || 'the whole'}.`
    return [{ description, operation, ...(part === undefined ? {} : { part }) }]
  })
}

/** A document without parts that do not bind clients (prose, examples, JavaScript's integer limits), and with one spelling of type unions. */
function rulesOf(document: object): object {
  const isProse = (key: string, value: unknown): boolean => ['description', 'summary', 'title'].includes(key) && typeof value === 'string'
  const isLimit = (value: unknown): boolean => value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER
  const binding = JSON.stringify(document, function (this: object, key, value: unknown) {
    const isExample = key === 'example' && 'schema' in this
    return isProse(key, value) || isLimit(value) || isExample ? undefined : value
  })
  return JSON.parse(binding, (_, value: unknown) => {
    const choice = ChoiceOfTypes.safeParse(value)
    if (!choice.success) return value
    const { anyOf, ...rest } = choice.data
    return { ...rest, type: anyOf.map(({ type }) => type) }
  })
}

const ChoiceOfTypes = z.looseObject({ anyOf: z.array(z.strictObject({ type: z.string() })) })

/**
 * Breaking changes that the library accepts: a removed member (optional in a response, ignored in a request),
 * another type, and another operationId, after which generated clients name their methods.
 */
function isAcceptedByLibrary(action: string, rest: readonly string[]): boolean {
  if (rest[0] === 'operationId') return action !== 'add'
  return action === 'remove' ? rest.at(-2) === 'properties' : action === 'replace' && rest.at(-1) === 'type' && rest.length > 1
}

/** Changes outside paths: security schemes, and in AsyncAPI channels and their messages. Schemas are compared where they are used. */
function isOfAll(action: string, path: readonly string[]): boolean {
  const isShared = path[0] === 'components' && path[1] === 'securitySchemes'
  if (!isShared && path[0] !== 'channels' && path[0] !== 'operations') return false
  return action === 'remove' || (action === 'replace' && binding.includes(path.at(-1) ?? ''))
}

const binding = ['type', 'address', 'name', 'in', 'scheme', 'action']

/** The name of the changed part: the innermost named element on its path. */
function partOf(before: object, operation: readonly string[], rest: readonly string[]): string | undefined {
  const member = rest[rest.lastIndexOf('properties') + 1]
  if (rest.includes('properties') && member !== undefined) return member
  if (rest[0] === 'parameters' && rest[1] !== undefined) return nameAt(before, [...operation, 'parameters', rest[1]]) ?? 'parameters'
  return rest[0] === 'responses' ? rest[1] : rest[0]
}

function nameAt(document: object, path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    document,
  )
  return Named.safeParse(value).data?.name
}

/** Whether one entry names both the operation (`*`: each) and the changed part, or the whole operation as removed. */
export const isRestBreakAnnounced = ({ operation, part }: RestBreak, entries: readonly BreakingEntry[]): boolean =>
  entries.some(({ names, removed }) =>
    part === undefined ? removed.has(operation) : (names.has(operation) || names.has('*')) && names.has(part),
  )
