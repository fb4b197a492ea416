import type { FetchDataKeyRenamer } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'
import { type Entity, isEntity, ownValue, setOwn } from '../../operation/entity.ts'
import { typeTest } from './representation.ts'

const fragment = '... on '

/**
 * Returns the variables of a fetch that come from objects around an entity (`@fromContext`); null if missing. @param around - objects from the root
 * of the response to the entity itself
 */
export type ContextArguments = (around: readonly Entity[]) => Readonly<Entity>

/** @returns undefined for a fetch without such variables */
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
  const paths = rewrites.map(({ path, renameKeyTo }) => {
    const up = path.filter((step) => step === '..').length
    return { name: renameKeyTo, up, down: path.slice(up) }
  })
  return (around) => {
    const values: Entity = {}
    // a variable has one path per possible type around it
    for (const { name, up, down } of paths) setOwn(values, name, ownValue(values, name) ?? at(around.at(-1 - up), down) ?? null)
    return values
  }
}
