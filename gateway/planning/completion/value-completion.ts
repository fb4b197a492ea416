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
import { type Entity, isEntity } from '../steps/entity.ts'
import { collectedFields } from './collected-fields.ts'

/** A null that has been reported already. */
export const reported = Symbol('reported')
/** A null where none may be: the object or list around it becomes null too (GraphQL specification, 6.4.4). */
export const bubble = Symbol('bubble')

/** Where in the answer we are, and what was wrong so far. */
export interface Trail {
  readonly path: (string | number)[]
  readonly problems: GraphQLError[]
  /** where the answer would tell an object of a hidden type by its name, each place once; `@` is every element of a list */
  readonly hidden: Map<string, readonly string[]>
  /** what is left for later of the objects that are in the answer */
  readonly deferred: DeferredObject[]
}

/** An object of the answer of which more comes later. */
export interface DeferredObject {
  /** under which its fields are fetched */
  readonly label: string
  /** where it is in the answer */
  readonly path: readonly (string | number)[]
  readonly value: Entity
  readonly complete: Complete
}

/** How the names of an operation become those of its answer. */
export interface Naming {
  /** the client's response name for one of the operation */
  shown(name: string): string
  /** whether a response name of the operation is one that its caller may not see: it is null, whatever was fetched */
  isRefused(name: string): boolean
  /** whose objects the caller may not even be told by their name */
  readonly hiddenTypes: ReadonlySet<string>
}

/** Everything may be seen, as it is called. */
export const plainNaming: Naming = { shown: (name) => name, isRefused: () => false, hiddenTypes: new Set() }

/** @returns the value as the client gets it, null, `reported` or `bubble` */
export type Complete = (value: unknown, trail: Trail) => unknown

interface Member {
  /** response name while the operation is executed */
  readonly name: string
  /** response name in the answer */
  readonly shown: string
  /** false for a name that every object inherits: it is looked up and set with care */
  readonly plain: boolean
  readonly complete: Complete
}

/** What an object is completed to. */
interface Members {
  readonly now: readonly Member[]
  readonly later: readonly Pick<DeferredObject, 'label' | 'complete'>[]
}

/** Completion of values (GraphQL specification, 6.4.3) compiled for one operation and given values of its @skip and @include variables. */
export interface Completion {
  object(declared: CompositeType, selections: readonly SelectionSet[], parent?: CompositeType): Complete
}

export function completion(schema: Schema, conditions: ReadonlyMap<string, boolean>, naming: Naming): Completion {
  const object = (declared: CompositeType, selections: readonly SelectionSet[], parent = declared): Complete => {
    const byType = new Map<unknown, Members>()
    const membersOf = (typename: unknown): Members | undefined => {
      const type = typename === undefined || typename === null ? declared : schema.type(String(typename))
      if (type === undefined || !isCompositeType(type)) return undefined
      const made = members(type, selections)
      byType.set(typename, made)
      return made
    }
    return (value, trail) => {
      if (value === null || value === undefined) return null
      if (!isEntity(value)) return problem(`Invalid value found for ${placeOf(trail, declared, parent)}.`, trail)
      const typename = value.__typename
      const wanted = byType.get(typename) ?? membersOf(typename)
      if (wanted === undefined) return problem(`Invalid __typename found for object at ${placeOf(trail, declared, parent)}.`, trail)
      return filled(value, wanted, trail)
    }
  }

  const members = (type: CompositeType, selections: readonly SelectionSet[]): Members => {
    const collected = collectedFields(selections, type, conditions)
    const fields = [...collected.fields]
    const seen = new Set(fields.filter(([name]) => !naming.isRefused(name)).map(([name]) => naming.shown(name)))
    const now = fields.flatMap(([name, { field, parent, inner }]): Member[] => {
      const shown = naming.shown(name)
      const isRefused = naming.isRefused(name)
      // what is refused on an interface may be seen on a type that implements it
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
        const given = complete(value, trail)
        if (given === null) problem(`Cannot return null for non-nullable ${placeOf(trail, ofType, parent)}.`, trail)
        return given === null || given === reported ? bubble : given
      }
    }
    if (isListType(type)) return list(type, completed(type.ofType, parent, inner), parent)
    if (isCompositeType(type)) return object(type, inner, parent)
    // No output is of an input type.
    return isEnumType(type) || isScalarType(type) ? leaf(type, parent) : () => null
  }

  return { object }
}

function filled(value: Entity, { now, later }: Members, trail: Trail): Entity | typeof reported {
  const made: Entity = {}
  const { length } = trail.deferred
  for (const { name, shown, plain, complete } of now) {
    trail.path.push(shown)
    const given = complete(plain || Object.hasOwn(value, name) ? value[name] : undefined, trail)
    trail.path.pop()
    if (given === bubble) return withoutMore(trail, length)
    if (plain) made[shown] = given === reported ? null : given
    else
      Object.defineProperty(made, shown, { value: given === reported ? null : given, enumerable: true, writable: true, configurable: true })
  }
  for (const { label, complete } of later) trail.deferred.push({ label, path: [...trail.path], value, complete })
  return made
}

/** Of what is null nothing comes later. */
function withoutMore({ deferred }: Trail, length: number): typeof reported {
  deferred.length = length
  return reported
}

/** Lists are completed to their end, so that every problem in them is told. */
function list(type: Type, each: Complete, parent: CompositeType): Complete {
  return (value, trail) => {
    if (value === null || value === undefined) return null
    if (!Array.isArray(value)) return problem(`Invalid value found for ${placeOf(trail, type, parent)}.`, trail)
    let bubbles = false
    const { length } = trail.deferred
    const made = new Array<unknown>(value.length)
    for (let index = 0; index < value.length; index += 1) {
      trail.path.push(index)
      const given = each(value[index], trail)
      trail.path.pop()
      if (given === bubble) bubbles = true
      made[index] = given === reported ? null : given
    }
    return bubbles ? withoutMore(trail, length) : made
  }
}

function leaf(type: ScalarType | EnumType, parent: CompositeType): Complete {
  const fits = leafRule(type)
  return (value, trail) => {
    if (value === null || value === undefined) return null
    return fits(value) ? value : problem(`Invalid value found for ${placeOf(trail, type, parent)}.`, trail)
  }
}

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

/** An object whose type is known only as an interface cannot tell its own. */
function typenameOf(type: CompositeType): Complete {
  return isObjectType(type) ? () => type.name : () => bubble
}

/** Of what a caller may not see; it has been told once for all. */
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
