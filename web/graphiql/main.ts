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
import { word } from './words/words.ts'

/** GraphiQL on this platform's graph: operations by POST, subscriptions by graphql-ws, both with the headers of the header editor. */
const welcome = `${(['welcome.1', 'welcome.2', 'welcome.3'] as const).map((line) => `# ${word(line)}`).join('\n')}

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

// GraphiQL puts parts of itself beside its element, and all of it from left to right: what is around it goes by its own language
for (const element of document.querySelectorAll<HTMLElement>('header, dialog')) element.dir = document.documentElement.dir
document.documentElement.dir = 'ltr'

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
