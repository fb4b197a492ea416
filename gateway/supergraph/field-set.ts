import { Kind, parse, type SelectionSetNode } from 'graphql'

/**
 * Parses a field set of a federation directive, such as `id owner { code }`, or the selection of a context, which has braces. @returns undefined for
 * an invalid one
 */
export function fieldSet(text: string): SelectionSetNode | undefined {
  const [definition] = parse(text.trimStart().startsWith('{') ? text : `{${text}}`, { noLocation: true }).definitions
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet : undefined
}
