import { type ConstDirectiveNode, type DocumentNode, Kind, parse, type SelectionSetNode } from 'graphql'
import { argumentsOf } from './linked-directives.ts'

/** @returns the names of the subgraphs by `join__Graph` values */
export function graphNames({ definitions }: DocumentNode): ReadonlyMap<unknown, unknown> {
  const names = new Map<unknown, unknown>()
  for (const definition of definitions)
    if (definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value === 'join__Graph')
      for (const { name, directives } of definition.values ?? [])
        for (const applied of appliedTo(directives, 'join__graph')) names.set(name.value, applied.name)
  return names
}

/** Returns the arguments of each directive of that name. */
export const appliedTo = (directives: readonly ConstDirectiveNode[] = [], directive: string) =>
  directives.filter(({ name }) => name.value === directive).map(argumentsOf)

/**
 * Parses a field set of a federation directive, such as `id owner { code }`, or the selection of a context, which has braces. @returns undefined for
 * an invalid one
 */
export function fieldSet(text: string): SelectionSetNode | undefined {
  const [definition] = parse(text.trimStart().startsWith('{') ? text : `{${text}}`, { noLocation: true }).definitions
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet : undefined
}
