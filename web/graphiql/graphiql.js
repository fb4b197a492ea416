/** GraphiQL on this platform's graph: operations by POST, subscriptions by graphql-ws, both with the headers of the header editor. */
import { createClient } from '/pages/vendor/graphql-ws/client.js'
import { credentialHeaders, credentials } from './credentials.js'
import { mountExamples } from './examples.js'
import { mountSignIn } from './sign-in.js'

const { GraphiQL, React, ReactDOM } = globalThis

const welcome = `# The whole platform in one graph.
# Ctrl-Enter runs this, Ctrl-Space completes.
# Sign in and examples are above; other headers go into "Headers" below.

query Platform {
  verificationHealth {
    status
    version
    checks {
      name
      status
      engine
      latencyMs
    }
  }
  verificationQueue {
    depth
    processing
    ready
    workersActive
  }
}
`

function isSubscription({ query, operationName }, document) {
  const operations = document?.definitions.filter(({ kind }) => kind === 'OperationDefinition') ?? []
  const chosen = operations.find(({ name }) => name?.value === operationName) ?? operations[0]
  return chosen === undefined ? /^\s*subscription\b/.test(query) : chosen.operation === 'subscription'
}

function subscribe(operation, headers) {
  const url = new URL('/graphql', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  // A client each: the headers may have changed since the last one, and they are what the connection begins with.
  return createClient({ url: url.href, connectionParams: headers, retryAttempts: 0 }).iterate(operation)
}

/** Of operations that defer parts of their answer: GraphiQL's own reads multipart. */
const sendInParts = GraphiQL.createFetcher({ url: '/graphql' })

async function send(operation, headers) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, application/json', ...headers },
    body: JSON.stringify(operation),
  })
  return response.json()
}

/** What stands in the header editor goes before what the sign-in gives. */
async function fetcher(operation, { headers: written = {}, documentAST } = {}) {
  const headers = { ...(await credentialHeadersShown()), ...written }
  if (isSubscription(operation, documentAST)) return subscribe(operation, headers)
  return /@\s*defer\b/.test(operation.query) ? sendInParts(operation, { headers, documentAST }) : send(operation, headers)
}

async function credentialHeadersShown() {
  try {
    return await credentialHeaders()
  } finally {
    if (credentials() === undefined) globalThis.dispatchEvent(new Event('credentials-ended'))
  }
}

/**
 * Where GraphiQL keeps what it knows. Tabs and history hold the headers of the header editor, keys and tokens too: they are kept as long as
 * the browser's tab, everything else for the next visit.
 */
const mayHoldHeaders = (name) => /:(queries|favorites|headers|tabState)$/.test(name)
const keptIn = (name) => (mayHoldHeaders(name) ? sessionStorage : localStorage)
const storage = {
  getItem: (name) => keptIn(name).getItem(name),
  setItem: (name, value) => keptIn(name).setItem(name, value),
  removeItem: (name) => keptIn(name).removeItem(name),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length
  },
}

/** GraphiQL's editors have no names of their own for a screen reader. */
const names = {
  '.graphiql-query-editor textarea': 'Operation',
  '.graphiql-editor-tool .graphiql-editor:nth-child(1) textarea': 'Variables',
  '.graphiql-editor-tool .graphiql-editor:nth-child(2) textarea': 'Headers',
  '.result-window textarea': 'Answer',
}
new MutationObserver((_, observer) => {
  const editors = Object.entries(names).map(([selector, name]) => [document.querySelector(selector), name])
  for (const [editor, name] of editors) editor?.setAttribute('aria-label', name)
  if (editors.every(([editor]) => editor !== null)) observer.disconnect()
}).observe(document.querySelector('#graphiql'), { childList: true, subtree: true })

if (await mountExamples()) mountSignIn()

/** What an address asks to be shown: ?query=…&variables=… */
const asked = new URLSearchParams(location.search)

ReactDOM.createRoot(document.querySelector('#graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultQuery: welcome,
    ...(asked.has('query') && { query: asked.get('query') }),
    ...(asked.has('variables') && { variables: asked.get('variables') }),
    defaultEditorToolsVisibility: 'headers',
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: true,
    storage,
  }),
)
