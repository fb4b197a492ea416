import {
  type CompositeType,
  type EnumType,
  type FieldSelection,
  isCompositeType,
  isCustomScalarType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type ScalarType,
  type Schema,
  type SelectionSet,
  type Type,
} from '@apollo/federation-internals'
import { GraphQLError } from 'graphql'
import { type Entity, isEntity } from '../../operation/entity.ts'
import { collectedFields } from './collected-fields.ts'

/** A null that has been reported already. */
export const reported = Symbol('reported')
/** A null in a non-null position: it propagates to the parent (GraphQL specification, 6.4.4). */
export const bubble = Symbol('bubble')

/** The current position in the response and the problems so far. */
export interface Trail {
  readonly path: (string | number)[]
  readonly problems: GraphQLError[]
  /** positions where the name of a hidden type would be revealed, each once; `@` is every element of a list */
  readonly hidden: Map<string, readonly string[]>
  /** deferred objects in the response */
  readonly deferred: DeferredObject[]
  /** whether enum values that the schema lacks are passed on */
  readonly passesNewValues: boolean
}

/** A deferred object of the response. */
export interface DeferredObject {
  /** label under which its fields are fetched */
  readonly label: string
  /** path in the response */
  readonly path: readonly (string | number)[]
  readonly value: Entity
  readonly complete: Complete
}

/** Maps the response names of an operation to those of the response. */
export interface ResponseNames {
  /** Returns the client's response name */
  shown(name: string): string
  /** Whether the caller may not see a response name: it is null in any case */
  isRefused(name: string): boolean
  /** types whose names the caller may not see */
  readonly hiddenTypes: ReadonlySet<string>
}

/** No restrictions, unchanged names. */
export const plainNaming: ResponseNames = { shown: (name) => name, isRefused: () => false, hiddenTypes: new Set() }

/** @returns the completed value, null, `reported` or `bubble` */
export type Complete = (value: unknown, trail: Trail) => unknown

interface Member {
  /** response name during execution */
  readonly name: string
  /** response name of the client */
  readonly shown: string
  /** false for names inherited from Object.prototype, which need careful access */
  readonly plain: boolean
  readonly complete: Complete
}

/** The completed members of an object. */
interface Members {
  readonly now: readonly Member[]
  readonly later: readonly Pick<DeferredObject, 'label' | 'complete'>[]
}

/** Value completion (GraphQL specification, 6.4.3), compiled for an operation and given values of @skip and @include. */
export interface Completion {
  object(declared: CompositeType, selections: readonly SelectionSet[], parent?: CompositeType): Complete
}

export function completion(schema: Schema, conditions: ReadonlyMap<string, boolean>, naming: ResponseNames): Completion {
  const object = (declared: CompositeType, selections: readonly SelectionSet[], parent = declared): Complete => {
    const byType = new Map<unknown, Members>()
    const membersOf = (typename: unknown): Members | undefined => {
      const type = typename === undefined || typename === null ? declared : schema.type(String(typename))
      if (type === undefined || !isCompositeType(type)) return undefined
      const memberCompletion = members(type, selections)
      byType.set(typename, memberCompletion)
      return memberCompletion
    }
    return (value, trail) => {
      if (value === null || value === undefined) return null
      if (!isEntity(value)) return problem(`Invalid value found for ${placeOf(trail, declared, parent)}.`, trail)
      const typename = value.__typename
      const membersOfType = byType.get(typename) ?? membersOf(typename)
      if (membersOfType === undefined) return problem(`Invalid __typename found for object at ${placeOf(trail, declared, parent)}.`, trail)
      return filled(value, membersOfType, trail)
    }
  }

  const members = (type: CompositeType, selections: readonly SelectionSet[]): Members => {
    const collected = collectedFields(selections, type, conditions)
    const fields = [...collected.fields]
    const seen = new Set(fields.filter(([name]) => !naming.isRefused(name)).map(([name]) => naming.shown(name)))
    const now = fields.flatMap(([name, { field, parent, inner }]): Member[] => {
      const shown = naming.shown(name)
      const isRefused = naming.isRefused(name)
      // a field that is refused on an interface may be allowed on an implementing type
      if (isRefused && seen.has(shown)) return []
      const complete = isRefused ? refusal(field.element.definition.type) : fieldValue(type, field, parent, inner)
      return [{ name, shown, plain: !(name in Object.prototype) && !(shown in Object.prototype), complete }]
    })
    return { now, later: collected.deferred.map(({ label, set, parent }) => ({ label, complete: object(parent, [set]) })) }
  }

  const fieldValue = (type: CompositeType, { element }: FieldSelection, parent: CompositeType, inner: SelectionSet[]): Complete => {
    if (element.name !== '__typename') return completed(element.definition.type ?? type, parent, inner)
    return naming.hiddenTypes.has(type.name) ? hiddenTypename : typenameOf(type)
  }

  const completed = (type: Type, parent: CompositeType, inner: readonly SelectionSet[]): Complete => {
    if (isNonNullType(type)) {
      const { ofType } = type
      const complete = completed(ofType, parent, inner)
      return (value, trail) => {
        const completedValue = complete(value, trail)
        if (completedValue === null) problem(`Cannot return null for non-nullable ${placeOf(trail, ofType, parent)}.`, trail)
        return completedValue === null || completedValue === reported ? bubble : completedValue
      }
    }
    if (isListType(type)) return list(type, completed(type.ofType, parent, inner), parent)
    if (isCompositeType(type)) return object(type, inner, parent)
    // no output has an input type
    return isEnumType(type) || isScalarType(type) ? leaf(type, parent) : () => null
  }

  return { object }
}

function filled(value: Entity, { now, later }: Members, trail: Trail): Entity | typeof reported {
  const completed: Entity = {}
  const { length } = trail.deferred
  for (const { name, shown, plain, complete } of now) {
    trail.path.push(shown)
    const completedValue = complete(plain || Object.hasOwn(value, name) ? value[name] : undefined, trail)
    trail.path.pop()
    if (completedValue === bubble) return withoutMore(trail, length)
    if (plain) completed[shown] = completedValue === reported ? null : completedValue
    else
      Object.defineProperty(completed, shown, {
        value: completedValue === reported ? null : completedValue,
        enumerable: true,
        writable: true,
        configurable: true,
      })
  }
  for (const { label, complete } of later) trail.deferred.push({ label, path: [...trail.path], value, complete })
  return completed
}

/** A null object has no deferred results. */
function withoutMore({ deferred }: Trail, length: number): typeof reported {
  deferred.length = length
  return reported
}

/** Lists are completed to the end, so that every problem is reported. */
function list(type: Type, each: Complete, parent: CompositeType): Complete {
  return (value, trail) => {
    if (value === null || value === undefined) return null
    if (!Array.isArray(value)) return problem(`Invalid value found for ${placeOf(trail, type, parent)}.`, trail)
    let bubbles = false
    const { length } = trail.deferred
    const completed = new Array<unknown>(value.length)
    for (let index = 0; index < value.length; index += 1) {
      trail.path.push(index)
      const completedValue = each(value[index], trail)
      trail.path.pop()
      if (completedValue === bubble) bubbles = true
      completed[index] = completedValue === reported ? null : completedValue
    }
    return bubbles ? withoutMore(trail, length) : completed
  }
}

function leaf(type: ScalarType | EnumType, parent: CompositeType): Complete {
  const fits = leafRule(type)
  const isNewValue = (value: unknown): boolean => isEnumType(type) && typeof value === 'string' && enumName.test(value)
  return (value, trail) => {
    if (value === null || value === undefined) return null
    return fits(value) || (trail.passesNewValues && isNewValue(value))
      ? value
      : problem(`Invalid value found for ${placeOf(trail, type, parent)}.`, trail)
  }
}

const enumName = /^[A-Z_a-z]\w*$/

function leafRule(type: ScalarType | EnumType): (value: unknown) => boolean {
  if (isEnumType(type)) {
    const names = new Set<unknown>(type.values.map(({ name }) => name))
    return (value) => names.has(value)
  }
  if (isCustomScalarType(type)) return () => true
  switch (type.name) {
    case 'Boolean':
      return (value) => typeof value === 'boolean'
    case 'Int':
      return (value) => Number.isInteger(value)
    case 'Float':
      return (value) => Number.isFinite(value)
    case 'ID':
      return (value) => typeof value === 'string' || Number.isInteger(value)
    default:
      return (value) => typeof value === 'string'
  }
}

/** An object known only by an interface cannot report its type name. */
function typenameOf(type: CompositeType): Complete {
  return isObjectType(type) ? () => type.name : () => bubble
}

/** The completion of a refused field, which has been reported already. */
const refusal = (type: Type | undefined): Complete => (type !== undefined && isNonNullType(type) ? () => bubble : () => reported)

const hiddenTypename: Complete = (_, { path, hidden }) => {
  const place = path.map((step) => (typeof step === 'number' ? '@' : step))
  hidden.set(place.join('\n'), place)
  return bubble
}

function problem(message: string, trail: Trail): typeof reported {
  trail.problems.push(new GraphQLError(message, { path: [...trail.path] }))
  return reported
}

function placeOf({ path }: Trail, type: Type, parent: CompositeType): string {
  const last = path.at(-1)
  return typeof last === 'number' ? `array element of type ${type} at index ${last}` : `field ${parent}.${last ?? ''}`
}
