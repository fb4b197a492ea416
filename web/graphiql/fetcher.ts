import type { GraphiQLProps } from 'graphiql'
import { createClient } from 'graphql-ws'
import { GraphiQL } from './bundles.ts'
import { credentialHeaders, credentials } from './credentials.ts'

type Fetcher = GraphiQLProps['fetcher']
type Operation = Parameters<Fetcher>[0]
type Document = NonNullable<Parameters<Fetcher>[1]>['documentAST']
type Headers = Readonly<Record<string, string>>

/** Runs an operation. What stands in the header editor goes before what the sign-in gives. */
export const fetcher: Fetcher = async (operation, { headers: written = {}, documentAST } = {}) => {
  const headers = { ...(await credentialHeadersShown()), ...written }
  if (isSubscription(operation, documentAST)) return subscribe(operation, headers)
  const inParts = /@\s*defer\b/.test(operation.query)
  return inParts ? sendInParts(operation, { headers, ...(documentAST !== undefined && { documentAST }) }) : send(operation, headers)
}

/** Of operations that defer parts of their answer: GraphiQL's own reads multipart. */
const sendInParts = GraphiQL.createFetcher({ url: '/graphql' })

async function send(operation: Operation, headers: Headers) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, application/json', ...headers },
    body: JSON.stringify(operation),
  })
  return response.json()
}

function subscribe(operation: Operation, headers: Headers) {
  const url = new URL('/graphql', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  // A client each: the headers may have changed since the last one, and they are what the connection begins with.
  return createClient({ url: url.href, connectionParams: headers, retryAttempts: 0 }).iterate(operation)
}

function isSubscription({ query, operationName }: Operation, document: Document): boolean {
  const operations = document?.definitions.filter((each) => each.kind === 'OperationDefinition') ?? []
  const chosen = operations.find(({ name }) => name?.value === operationName) ?? operations[0]
  return chosen === undefined ? /^\s*subscription\b/.test(query) : chosen.operation === 'subscription'
}

async function credentialHeadersShown(): Promise<Headers> {
  try {
    return await credentialHeaders()
  } finally {
    if (credentials() === undefined) globalThis.dispatchEvent(new Event('credentials-ended'))
  }
}
