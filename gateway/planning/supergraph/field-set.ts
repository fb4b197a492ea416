import { Kind, parse, type SelectionSetNode } from 'graphql'

/**
 * The fields that a directive of federation names, such as `id owner { code }`; a selection of a context has its own braces.
 * @returns undefined for a text that is no selection of fields
 */
export function fieldSet(text: string): SelectionSetNode | undefined {
  const [definition] = parse(text.trimStart().startsWith('{') ? text : `{${text}}`, { noLocation: true }).definitions
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet : undefined
}
