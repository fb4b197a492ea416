import { CombinedGraphQLErrors } from '@apollo/client'
import { CivigraphError, errorOf, ForbiddenError, InvalidInputError, UnavailableError } from '@civigraph/client'

/** Returns an error of Apollo Client or of the session as its class. */
export function classified(error: unknown): Error {
  const [first] = CombinedGraphQLErrors.is(error) ? error.errors : []
  if (first !== undefined) return errorOf(first)
  return error instanceof Error ? error : new Error(String(error))
}

function adviceFor(error: Error): string {
  if (error instanceof ForbiddenError) return 'Your account may not see this.'
  if (error instanceof UnavailableError) return 'The service is busy. Try again in a moment.'
  if (error instanceof InvalidInputError) return 'Correct the fields below.'
  return error.message
}

/** Shows an error by its class, the invalid fields by name, and the id of the request for support. */
export function Problem({ error }: { readonly error: unknown }) {
  const problem = classified(error)
  const { entries = [], requestId } = problem instanceof CivigraphError ? problem : {}
  return (
    <div role="alert">
      <p>{adviceFor(problem)}</p>
      <ul>
        {entries.map(({ path, message }) => (
          <li key={path.join('.')}>{`${path.join('.')}: ${message}`}</li>
        ))}
      </ul>
      {requestId !== undefined && <small>Request {requestId}</small>}
    </div>
  )
}
