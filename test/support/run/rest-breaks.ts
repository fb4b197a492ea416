import { apiCompare } from 'api-smart-diff'
import { z } from 'zod'
import type { BreakingEntry } from './changelog.ts'

/** What a change of a REST document takes from its clients. */
export interface RestBreak {
  readonly description: string
  /** `GET /figures`; of what belongs to no operation, the part of the document */
  readonly operation: string
  /** what of it has changed: a parameter, a member, a status, `security`, `operationId`; absent where all of it goes */
  readonly part?: string
}

const Named = z.object({ name: z.string() })

/**
 * What breaks clients between two OpenAPI documents, or two AsyncAPI documents. Schemas are compared where operations use them: what a
 * request may have and what a response has break in opposite directions.
 */
export function restBreaks(before: object, after: object): readonly RestBreak[] {
  const { diffs } = apiCompare(rulesOf(before), rulesOf(after))
  // what has become of another type is told once, and not by each member that it had
  const retyped = diffs.filter(({ action, path }) => action === 'replace' && path.at(-1) === 'type').map(({ path }) => path)
  const isMemberOf = (path: readonly PropertyKey[], type: readonly PropertyKey[]): boolean =>
    ['properties', 'required'].includes(String(path[type.length - 1])) && type.slice(0, -1).every((step, at) => path[at] === step)
  return diffs.flatMap((change) => {
    if (retyped.some((type) => isMemberOf(change.path, type))) return []
    const path = change.path.map(String)
    const [section = '', route = '', method = '', ...rest] = path
    const isOperation = section === 'paths'
    const isBreaking = isOperation ? change.type === 'breaking' || isMissed(change.action, rest) : isOfAll(change.action, path)
    if (!isBreaking) return []
    const operation = isOperation ? `${method.toUpperCase()} ${route}`.trim() : [section, route].join('.')
    const part = isOperation ? partOf(before, [section, route, method], rest) : path.at(-1)
    const description = `${operation}: ${change.action} ${(isOperation ? rest : path.slice(2)).join('/') || 'the whole'}.`
    return [{ description, operation, ...(part === undefined ? {} : { part }) }]
  })
}

/** A document without what binds nobody (prose, examples, that JavaScript counts no further), and with one spelling of a choice of types. */
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
 * What the library takes for compatible: a member that goes (of a response, because it was not required; of a request, because it is
 * ignored then), another type, and another name of an operation, which generated clients are called by.
 */
function isMissed(action: string, rest: readonly string[]): boolean {
  if (rest[0] === 'operationId') return action !== 'add'
  return action === 'remove' ? rest.at(-2) === 'properties' : action === 'replace' && rest.at(-1) === 'type' && rest.length > 1
}

/** Of what belongs to no path: how callers show who they are, and in AsyncAPI channels and their messages. Schemas are compared where they are used. */
function isOfAll(action: string, path: readonly string[]): boolean {
  const isShared = path[0] === 'components' && path[1] === 'securitySchemes'
  if (!isShared && path[0] !== 'channels' && path[0] !== 'operations') return false
  return action === 'remove' || (action === 'replace' && binding.includes(path.at(-1) ?? ''))
}

const binding = ['type', 'address', 'name', 'in', 'scheme', 'action']

/** What a person calls the part that has changed: the innermost thing on the way to it that has a name. */
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

/** Whether one entry names both the operation (`*`: each) and the part of it that changed, or the whole operation as removed. */
export const isRestBreakAnnounced = ({ operation, part }: RestBreak, entries: readonly BreakingEntry[]): boolean =>
  entries.some(({ names, removed }) =>
    part === undefined ? removed.has(operation) : (names.has(operation) || names.has('*')) && names.has(part),
  )
