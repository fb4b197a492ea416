import { PageHeader } from '../shared/frame/page-header.tsx'
import { useTitle } from '../shared/frame/page-hooks.ts'
import { components, graphAddress, version } from './addresses.ts'
import { ComponentList } from './component-list.tsx'
import { Tour } from './tour.tsx'
import { useWords } from './words/words.ts'

/** The platform, a tour of it and the state of its components; over another supergraph the GraphQL endpoint only. */
export function LandingPage() {
  const { word } = useWords()
  const whose = components.length > 0 ? 'platform' : 'graph'
  useTitle(word(`${whose}.title`))
  return (
    <>
      <PageHeader
        links={{
          label: word('platform'),
          items: [
            { href: '/query', text: word('query-editor') },
            { href: '/schema.graphql', text: word('schema') },
            { href: '/health', text: word('health') },
          ],
        }}
      />
      <main className="wide" id="content" tabIndex={-1}>
        <h1>{word(`${whose}.title`)}</h1>
        <p className="lede">{word(`${whose}.lede`)}</p>
        <p className="row">
          <a className="button" href="/query">
            {word('explore')}
          </a>
          <span className="quiet">
            {word('or-send')} <code dir="ltr">{graphAddress}</code>
            {word('subscriptions')}
          </span>
        </p>
        {components.length > 0 && (
          <>
            <p className="quiet">
              {word('developers')} <a href="/packages/civigraph-client/README.md">{word('client-package')}</a>
              {' · '}
              <a href="/docs/clients/README.md">{word('guides')}</a>
            </p>
            <Tour />
            <ComponentList components={components} />
          </>
        )}
      </main>
      <footer>
        <div className="wide">
          <span dir="ltr">Civigraph {version}</span>
        </div>
      </footer>
    </>
  )
}
