import {
  type ExecutionResult,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  getNamedType,
  graphql,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { clientSchema } from './client-schema.ts'

/** each list repeats the last item of its first page at the start of the second, as a list does into which something was inserted */
const rows = (after: unknown): readonly string[] => (after == null ? ['1', '2', '3'] : ['3', '4', '5'])

/** Answers any operation: each list has two pages, each object the fields of its type. */
const fieldResolver: GraphQLFieldResolver<unknown, unknown> = (source, args, _, { fieldName, returnType }) => {
  const known = (source ?? {}) as Readonly<Record<string, unknown>>
  if (fieldName in known) return known[fieldName]
  const named = getNamedType(returnType)
  if (isObjectType(named) && named.getFields().pageInfo !== undefined) {
    const nodes = rows(args.after).map((id) => ({
      id,
      nodeId: `node ${id}`,
      jobId: id,
      job: { id },
      expression: { id },
      key: id,
      number: Number(id),
      citizen: { code: id },
      code: id,
    }))
    const isLast = args.after != null
    return {
      totalCount: 5,
      nodes,
      edges: nodes.map((node) => ({ node, cursor: node.id })),
      pageInfo: { startCursor: nodes[0]?.id, endCursor: nodes.at(-1)?.id, hasNextPage: !isLast, hasPreviousPage: isLast },
    }
  }
  return exampleOf(returnType)
}

function exampleOf(type: GraphQLOutputType): unknown {
  if (isNonNullType(type)) return exampleOf(type.ofType)
  if (isListType(type)) return []
  if (isEnumType(type)) return type.getValues()[0]?.value
  const scalars: Readonly<Record<string, unknown>> = { Int: 1, Float: 1, Boolean: true }
  return isObjectType(type) ? {} : (scalars[type.name] ?? '2026-01-31')
}

/** Executes an operation on the printed schema, whose lists have two pages: 1, 2, 3 and, after it, 3, 4, 5. */
export const executePaged = (source: string, variableValues: Readonly<Record<string, unknown>>): Promise<ExecutionResult> =>
  graphql({ schema: clientSchema, source, variableValues, fieldResolver })

/** The same as a gateway over HTTP. */
export const pagedAnswer: typeof fetch = async (_, init) => {
  const { query, variables } = JSON.parse(String(init?.body))
  return Response.json(await executePaged(query, variables))
}
