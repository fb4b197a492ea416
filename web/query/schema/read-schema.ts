import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery } from 'graphql'
import { send } from '../running/send.ts'
import { credentialHeaders } from '../sign-in/credentials.ts'
import { ProblemError } from '../words/problem.ts'

const query = getIntrospectionQuery({ inputValueDeprecation: true })

/**
 * Reads the schema, without credentials when the session has ended.
 * @param headers - from the header editor
 * @throws {ProblemError} when introspection fails
 */
export async function readSchema(headers: Readonly<Record<string, string>>): Promise<GraphQLSchema> {
  const operation = {
    kind: 'query',
    request: { query },
    headers: { ...(await credentialHeaders().catch(() => ({}))), ...headers },
  } as const
  for await (const { value } of send(operation, AbortSignal.timeout(30_000))) {
    const { data, errors } = typeof value === 'object' && value !== null ? (value as Answer) : {}
    if (data) return buildClientSchema(data)
    const [message] = (errors ?? []).map((each) => each.message)
    throw new ProblemError(message === undefined ? { key: 'problem.unanswered' } : { key: 'problem.schema', values: { message } })
  }
  throw new ProblemError({ key: 'problem.unanswered' })
}

interface Answer {
  readonly data?: Parameters<typeof buildClientSchema>[0] | null
  readonly errors?: readonly { readonly message: string }[]
}
