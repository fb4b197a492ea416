/** GraphiQL on this platform's graph: operations by POST, subscriptions by graphql-ws, both with the headers of the header editor. */
import { createClient } from '/pages/vendor/graphql-ws/client.js'

const { GraphiQL, React, ReactDOM } = globalThis

const welcome = `# The whole platform in one graph.
# Ctrl-Enter runs this, Ctrl-Space completes.
# Keys and tokens go into "Headers" below.

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

async function send(operation, headers) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, application/json', ...headers },
    body: JSON.stringify(operation),
  })
  return response.json()
}

function fetcher(operation, { headers = {}, documentAST } = {}) {
  return isSubscription(operation, documentAST) ? subscribe(operation, headers) : send(operation, headers)
}

/**
 * Where GraphiQL keeps what it knows. Its history holds the headers of each request, keys and tokens too, whatever it is told about
 * headers: that part is forgotten with the page.
 */
const forgotten = new Map()
const isHistory = (name) => /:(queries|favorites)$/.test(name)
const storage = {
  getItem: (name) => (isHistory(name) ? (forgotten.get(name) ?? null) : localStorage.getItem(name)),
  setItem: (name, value) => (isHistory(name) ? forgotten.set(name, value) : localStorage.setItem(name, value)),
  removeItem: (name) => (isHistory(name) ? forgotten.delete(name) : localStorage.removeItem(name)),
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
    shouldPersistHeaders: false,
    storage,
  }),
)
