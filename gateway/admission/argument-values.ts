import { type FieldNode, type OperationDefinitionNode, type ValueNode, valueFromASTUntyped } from 'graphql'

export type Variables = Readonly<Record<string, unknown>>

/** Returns the value of an argument of a field in an operation; undefined if absent. */
export type ArgumentReader = (field: FieldNode, name: string, variables: Variables) => unknown

/** Reads the arguments of an operation's fields, with variables and defaults. */
export function argumentReader({ variableDefinitions = [] }: OperationDefinitionNode): ArgumentReader {
  const readValue = (node: ValueNode | undefined, variables: Variables): unknown => node && valueFromASTUntyped(node, variables)
  const defaults = Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, readValue(defaultValue, {})]),
  )
  return (field, name, variables) =>
    readValue(field.arguments?.find((each) => each.name.value === name)?.value, { ...defaults, ...variables })
}

/** Returns a member of an input object at any depth; undefined if absent. */
export function memberAt(value: unknown, [step, ...steps]: readonly string[]): unknown {
  if (step === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  return memberAt(Object.entries(value).find(([name]) => name === step)?.[1], steps)
}
