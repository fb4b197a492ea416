import { type DocumentNode, GraphQLError, type OperationDefinitionNode, parse } from 'graphql'
import type { Problem } from '../words/problem.ts'

export interface Request {
  readonly query: string
  readonly operationName?: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** An operation ready to be sent. */
export interface PreparedOperation {
  readonly request: Request
  readonly kind: 'query' | 'mutation' | 'subscription'
  /** text of the header editor */
  readonly headers: Readonly<Record<string, string>>
}

export interface EditorTexts {
  readonly query: string
  readonly variables: string
  readonly headers: string
  /** cursor position in the query, which selects one of several operations */
  readonly cursor: number
}

/** @returns a problem when nothing can be sent */
export function prepared({ query, variables, headers, cursor }: EditorTexts): PreparedOperation | Problem {
  let document: DocumentNode
  try {
    document = parse(query)
  } catch (error) {
    const line = error instanceof GraphQLError ? error.locations?.[0]?.line : undefined
    return { key: 'problem.query', values: { line: line ?? 1, message: messageOf(error) } }
  }
  const operation = operationAt(document, cursor)
  if (operation === undefined) return { key: 'problem.no-operation' }
  const [writtenVariables, writtenHeaders] = [membersOf(variables), headersOf(headers)]
  if (typeof writtenVariables === 'string') return { key: 'problem.variables', values: { message: writtenVariables } }
  if (typeof writtenHeaders === 'string') return { key: 'problem.headers', values: { message: writtenHeaders } }
  return {
    kind: operation.operation,
    request: {
      query,
      ...(operation.name !== undefined && { operationName: operation.name.value }),
      ...(writtenVariables !== undefined && { variables: writtenVariables }),
    },
    headers: writtenHeaders,
  }
}

/** Returns the operation at the cursor, or the first one. */
export function operationAt({ definitions }: DocumentNode, cursor: number): OperationDefinitionNode | undefined {
  const operations = definitions.filter((each) => each.kind === 'OperationDefinition')
  return operations.find(({ loc }) => loc !== undefined && loc.start <= cursor && cursor <= loc.end) ?? operations[0]
}

/** @returns the headers in the header editor; a problem when the text is not a JSON object of names and values */
export function headersOf(text: string): Readonly<Record<string, string>> | string {
  const members = membersOf(text)
  if (typeof members === 'string') return members
  try {
    return Object.fromEntries(new Headers(Object.entries(members ?? {}).map(([name, value]): [string, string] => [name, String(value)])))
  } catch (error) {
    return messageOf(error)
  }
}

/** @returns the members of a JSON object; none for an empty text; a problem for any other text */
function membersOf(text: string): Readonly<Record<string, unknown>> | string | undefined {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : '{ … }'
  } catch (error) {
    return messageOf(error)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
