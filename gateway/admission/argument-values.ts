import { type FieldNode, type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'
import { declaredVariables, type Variables } from '../operation/declared-variables.ts'

/** Returns the value of an argument of a field in an operation; undefined if absent. */
export type ArgumentReader = (field: FieldNode, name: string, variables: Variables) => unknown

/** Reads the arguments of an operation's fields, with variables and defaults. */
export function argumentReader(definition: OperationDefinitionNode): ArgumentReader {
  const declaredIn = declaredVariables(definition)
  return (field, name, variables) => {
    const value = field.arguments?.find((each) => each.name.value === name)?.value
    return value && valueFromASTUntyped(value, declaredIn(variables))
  }
}

/** Returns a member of an input object at any depth; undefined if absent. */
export function memberAt(value: unknown, [step, ...steps]: readonly string[]): unknown {
  if (step === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  return memberAt(Object.entries(value).find(([name]) => name === step)?.[1], steps)
}
