import { type ExecutionResult, GraphQLError } from 'graphql'
import type { ComponentName } from '../../foundation/component-names.ts'
import { loader } from '../../foundation/graphql/loader.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { entities } from './entities.ts'
import { type Reference, referenceOf } from './reference.ts'

/** Has a component answer an operation, for whoever asks. What goes wrong is in `errors`; it never rejects. */
export type AskComponent = (
  component: ComponentName,
  operation: { readonly query: string; readonly variables: Readonly<Record<string, unknown>>; readonly context: RequestContext },
) => Promise<ExecutionResult> | ExecutionResult

const query = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }'

/**
 * What a node id names, when its component says that it is there, and for this caller; null otherwise. All nodes of a request are asked for
 * at once, with one operation for each component.
 * @throws {GraphQLError} that of the component, where it refuses or does not answer
 */
export async function findNode(nodeId: string, context: RequestContext, ask: AskComponent): Promise<Reference | null> {
  const reference = referenceOf(nodeId)
  const component = reference && entities[reference.__typename]?.component
  if (!component) return null
  const found = loader<Reference, boolean>(context, `nodes of ${component}`, async (representations) =>
    presentOf(await ask(component, { query, variables: { representations }, context }), representations.length),
  )
  return (await found.load(reference)) ? reference : null
}

/** For each reference whether it is there, or why that is not known. */
function presentOf({ data, errors = [] }: ExecutionResult, count: number): readonly (boolean | Error)[] {
  // of the operation that is written above
  const found = data?._entities as readonly unknown[] | null | undefined
  return Array.from({ length: count }, (_, index) => {
    if (found?.[index]) return true
    const error = errors.find(({ path }) => path?.[1] === undefined || path[1] === index)
    if (error === undefined) return found ? false : new Error('A component did not return which of its entities exist')
    // its place is that of the node, not the one in the operation above
    return new GraphQLError(error.message, { originalError: error.originalError ?? null, extensions: error.extensions })
  })
}
