import { type FieldNode, type OperationDefinitionNode, type ValueNode, valueFromASTUntyped } from 'graphql'

export type Variables = Readonly<Record<string, unknown>>

/** Returns the value of an argument of a field in an operation; undefined if absent. */
export type ArgumentReader = (field: FieldNode, name: string, variables: Variables) => unknown

/** Reads the arguments of an operation's fields, with variables and defaults. */
export function argumentReader({ variableDefinitions = [] }: OperationDefinitionNode): ArgumentReader {
  const readValue = (node: ValueNode | undefined, variables: Variables): unknown => node && valueFromASTUntyped(node, variables)
  const defaults = variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, readValue(defaultValue, {})] as const)
  const declared = new WeakMap<Variables, Variables>()
  /** Returns the declared variables of a request: a client may send thousands of others, and an operation has hundreds of arguments. */
  const declaredIn = (variables: Variables): Variables => {
    const cached = declared.get(variables)
    if (cached !== undefined) return cached
    const values = Object.fromEntries(defaults.map(([name, value]) => [name, Object.hasOwn(variables, name) ? variables[name] : value]))
    declared.set(variables, values)
    return values
  }
  return (field, name, variables) => readValue(field.arguments?.find((each) => each.name.value === name)?.value, declaredIn(variables))
}

/** Returns a member of an input object at any depth; undefined if absent. */
export function memberAt(value: unknown, [step, ...steps]: readonly string[]): unknown {
  if (step === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  return memberAt(Object.entries(value).find(([name]) => name === step)?.[1], steps)
}
