import { type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'

export type Variables = Readonly<Record<string, unknown>>

/** Returns the values that the variables of an operation have in a request, with defaults; undeclared ones have no effect. */
export type DeclaredVariables = (variables: Variables) => Variables

const noVariables: Variables = Object.freeze({})

/** Reads the declared variables of each request once: a client may send thousands of others, and an operation has hundreds of arguments. */
export function declaredVariables({ variableDefinitions = [] }: OperationDefinitionNode): DeclaredVariables {
  if (variableDefinitions.length === 0) return () => noVariables
  const defaults = variableDefinitions.map(
    ({ variable, defaultValue }) => [variable.name.value, defaultValue && valueFromASTUntyped(defaultValue)] as const,
  )
  const declared = new WeakMap<Variables, Variables>()
  return (variables) => {
    const cached = declared.get(variables)
    if (cached !== undefined) return cached
    const values = Object.fromEntries(defaults.map(([name, value]) => [name, Object.hasOwn(variables, name) ? variables[name] : value]))
    declared.set(variables, values)
    return values
  }
}
