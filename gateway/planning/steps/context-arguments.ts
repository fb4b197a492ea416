import type { FetchDataKeyRenamer } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'
import { type Entity, isEntity, ownValue, setOwn } from './entity.ts'
import { typeTest } from './representation.ts'

const fragment = '... on '

/**
 * What the arguments of a fetch are given of the objects around an entity (`@fromContext`), by the names of its variables; null for what
 * is not there.
 * @param around - objects from the root of the answer to the entity itself
 */
export type ContextArguments = (around: readonly Entity[]) => Readonly<Entity>

/** @returns undefined for a fetch that takes nothing of them */
export function contextArguments(
  rewrites: readonly FetchDataKeyRenamer[] | undefined,
  supergraph: GraphQLSchema,
): ContextArguments | undefined {
  if (rewrites === undefined || rewrites.length === 0) return undefined
  const isOf = typeTest(supergraph)

  const at = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return value
    if (Array.isArray(value)) return value.map((element) => at(element, [step, ...rest]))
    if (!isEntity(value)) return value
    if (!step.startsWith(fragment)) return at(ownValue(value, step), rest)
    return value.__typename === undefined || isOf(value.__typename, step.slice(fragment.length)) ? at(value, rest) : undefined
  }
  const ways = rewrites.map(({ path, renameKeyTo }) => {
    const up = path.filter((step) => step === '..').length
    return { name: renameKeyTo, up, down: path.slice(up) }
  })
  return (around) => {
    const given: Entity = {}
    // one name has a way for each type that may be around
    for (const { name, up, down } of ways) setOwn(given, name, ownValue(given, name) ?? at(around.at(-1 - up), down) ?? null)
    return given
  }
}
