import { type FieldNode, type OperationDefinitionNode, type ValueNode, valueFromASTUntyped } from 'graphql'

export type Variables = Readonly<Record<string, unknown>>

/** Returns the value of an argument of a field in an operation; undefined if absent. */
export type GivenArgument = (field: FieldNode, name: string, variables: Variables) => unknown

/** Reads the arguments of an operation's fields, with variables and defaults. */
export function givenArguments({ variableDefinitions = [] }: OperationDefinitionNode): GivenArgument {
  const valueGiven = (node: ValueNode | undefined, variables: Variables): unknown => node && valueFromASTUntyped(node, variables)
  const defaults = Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, valueGiven(defaultValue, {})]),
  )
  return (field, name, variables) =>
    valueGiven(field.arguments?.find((each) => each.name.value === name)?.value, { ...defaults, ...variables })
}

/** Returns a member of an input object at any depth; undefined if absent. */
export function memberAt(value: unknown, [step, ...steps]: readonly string[]): unknown {
  if (step === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  return memberAt(Object.entries(value).find(([name]) => name === step)?.[1], steps)
}
