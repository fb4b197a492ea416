import { GraphQLScalarType, valueFromASTUntyped } from 'graphql'

/** Any JSON value: the metadata of a content node belongs to its tenant, and each audited action has its own details. */
export const Json = new GraphQLScalarType<unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
})
