import { type DocumentNode, type FieldDefinitionNode, isTypeDefinitionNode } from 'graphql'
import { z } from 'zod'
import { argumentsOf, directiveNames } from './linked-directives.ts'

/** The selection of a contextual argument (`@fromContext`). */
export interface ContextSelection {
  /** possible types of the context */
  readonly types: readonly string[]
  /** selection per type */
  readonly selection: string
}

const Given = z.array(z.object({ context: z.string(), selection: z.string() }))

/** @returns a function that returns the selections of a field */
export function contextSelections(supergraph: DocumentNode): (field: FieldDefinitionNode) => readonly ContextSelection[] {
  const names = directiveNames(supergraph)('context', 'context')
  const types = new Map<unknown, string[]>()
  for (const definition of supergraph.definitions) {
    if (!isTypeDefinitionNode(definition)) continue
    for (const directive of definition.directives ?? []) {
      if (!names.has(directive.name.value)) continue
      const { name } = argumentsOf(directive)
      types.set(name, [...(types.get(name) ?? []), definition.name.value])
    }
  }
  return ({ directives = [] }) =>
    directives
      .filter(({ name }) => name.value === 'join__field')
      .flatMap((directive) => Given.safeParse(argumentsOf(directive).contextArguments).data ?? [])
      .map(({ context, selection }) => ({ types: types.get(context) ?? [], selection }))
}
