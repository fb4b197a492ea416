import './graphiql.css'
import { elementAt } from '../shared/frame/element.ts'
import { factsOf } from '../shared/frame/facts.ts'
import { GraphiQL, React, ReactDOM } from './bundles.ts'
import { nameEditors } from './editor-names.ts'
import { mountExamples } from './examples.ts'
import type { GraphiqlFacts } from './facts.ts'
import { fetcher } from './fetcher.ts'
import { mountSignIn } from './sign-in.ts'
import { storage } from './storage.ts'

/** GraphiQL on this platform's graph: operations by POST, subscriptions by graphql-ws, both with the headers of the header editor. */
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

const place = elementAt('#graphiql', HTMLElement)
nameEditors(place)

if (factsOf<GraphiqlFacts>().hasComponents) {
  mountExamples()
  mountSignIn()
  elementAt('#tools', HTMLElement).hidden = false
}

/** What an address asks to be shown: ?query=…&variables=… */
const asked = new URLSearchParams(location.search)
const query = asked.get('query')
const variables = asked.get('variables')

ReactDOM.createRoot(place).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultQuery: welcome,
    ...(query !== null && { query }),
    ...(variables !== null && { variables }),
    defaultEditorToolsVisibility: 'headers',
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: true,
    storage,
  }),
)
