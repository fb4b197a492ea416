import type { FetchDataRewrite } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'
import { type Entity, isEntity, ownValue, setOwn } from '../../operation/entity.ts'
import { typeTest } from './representation.ts'

const fragment = '... on '

/** Applies rewrites of the query planner to representations or results, in place (@interfaceObject, renamed response names). */
export function rewriting(rewrites: readonly FetchDataRewrite[] | undefined, supergraph: GraphQLSchema): (value: Entity) => void {
  if (rewrites === undefined || rewrites.length === 0) return () => undefined
  const isOf = typeTest(supergraph)

  const at = (value: unknown, path: readonly string[], change: (entity: Entity) => void): void => {
    if (Array.isArray(value)) for (const element of value) at(element, path, change)
    if (!isEntity(value)) return
    const [step, ...rest] = path
    if (step === undefined) change(value)
    else if (!step.startsWith(fragment)) at(ownValue(value, step), rest, change)
    else if (value.__typename === undefined || isOf(value.__typename, step.slice(fragment.length))) at(value, rest, change)
  }
  return (value) => {
    for (const rewrite of rewrites) {
      const name = rewrite.path.at(-1)
      if (name !== undefined) at(value, rewrite.path.slice(0, -1), (entity) => apply(rewrite, entity, name))
    }
  }
}

function apply(rewrite: FetchDataRewrite, entity: Entity, name: string): void {
  if (rewrite.kind === 'ValueSetter') setOwn(entity, name, rewrite.setValueTo)
  else {
    const value = ownValue(entity, name)
    if (value === undefined || value === null) return
    setOwn(entity, rewrite.renameKeyTo, value)
    delete entity[name]
  }
}
