import { type FieldNode, type OperationDefinitionNode, type ValueNode, valueFromASTUntyped } from 'graphql'

export type Variables = Readonly<Record<string, unknown>>

/** The value of one of a field's arguments in an operation; undefined: it is not given. */
export type GivenArgument = (field: FieldNode, name: string, variables: Variables) => unknown

/** The arguments of an operation's fields, with its variables and their defaults. */
export function givenArguments({ variableDefinitions = [] }: OperationDefinitionNode): GivenArgument {
  const valueGiven = (node: ValueNode | undefined, variables: Variables): unknown => node && valueFromASTUntyped(node, variables)
  const defaults = Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, valueGiven(defaultValue, {})]),
  )
  return (field, name, variables) =>
    valueGiven(field.arguments?.find((each) => each.name.value === name)?.value, { ...defaults, ...variables })
}

/** A member of an input object, however deep; undefined: it is not there. */
export function memberAt(value: unknown, [step, ...steps]: readonly string[]): unknown {
  if (step === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  return memberAt(Object.entries(value).find(([name]) => name === step)?.[1], steps)
}
