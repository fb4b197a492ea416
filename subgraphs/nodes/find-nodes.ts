import { type ExecutionResult, GraphQLError } from 'graphql'
import { loader } from '../../foundation/graphql/loader.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { ComponentName } from '../../foundation/process/build-info.ts'
import { entities } from './entities.ts'
import { type Reference, referenceOf } from './reference.ts'

/** Executes an operation in a component on behalf of the caller. Failures are in `errors`; it never rejects. */
export type ExecuteInComponent = (
  component: ComponentName,
  operation: { readonly query: string; readonly variables: Readonly<Record<string, unknown>>; readonly context: RequestContext },
) => Promise<ExecutionResult> | ExecutionResult

const query = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }'

/**
 * Returns the entity of a node id if its component has it for this caller; otherwise null. Node ids of one request are resolved with one
 * operation per component.
 * @throws {GraphQLError} the error of the component
 */
export async function findNode(nodeId: string, context: RequestContext, ask: ExecuteInComponent): Promise<Reference | null> {
  const reference = referenceOf(nodeId)
  const component = reference && entities[reference.__typename]?.component
  if (!component) return null
  const existence = loader<Reference, boolean>(context, `nodes of ${component}`, async (representations) =>
    presentOf(await ask(component, { query, variables: { representations }, context }), representations.length),
  )
  return (await existence.load(reference)) ? reference : null
}

/** Returns for each reference whether it exists, or the error. */
function presentOf({ data, errors = [] }: ExecutionResult, count: number): readonly (boolean | Error)[] {
  // data of the query above
  const returned = data?._entities as readonly unknown[] | null | undefined
  return Array.from({ length: count }, (_, index) => {
    if (returned?.[index]) return true
    const error = errors.find(({ path }) => path?.[1] === undefined || path[1] === index)
    if (error === undefined) return returned ? false : new Error('A component did not return which of its entities exist')
    // the path must be that of the node field, not of the query above
    return new GraphQLError(error.message, { originalError: error.originalError ?? null, extensions: error.extensions })
  })
}
