import { ServiceKeysDocument, type ServiceKeysQuery } from '@civigraph/client/documents'
import { useMemo } from 'react'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { useWords } from '../words/words.ts'

type ServiceKey = NonNullable<ServiceKeysQuery['serviceKeys']>['nodes'][number]
const connectionOf = ({ serviceKeys }: ServiceKeysQuery) => serviceKeys
/** Returns the word of the command line for a scope: `results:all` for RESULTS_ALL. */
const scopeWord = (scope: string): string => scope.toLowerCase().replaceAll('_', ':')
const commands = ['create NAME --scope SCOPE', 'rotate NAME', 'revoke NAME'] as const

/** Lists service keys and their scopes, never the keys; commands change them. */
export function ServiceKeysPage() {
  const { word, named, date } = useWords()
  const pages = usePages(ServiceKeysDocument, { first: 100 }, connectionOf)
  useTitle(word('keys.title'))
  const columns = useMemo(
    () => [
      column<ServiceKey>('name', word('keys.name'), ({ name }) => name),
      column<ServiceKey>('scopes', word('keys.scopes'), ({ scopes }) => <code dir="ltr">{scopes.map(scopeWord).join(' ')}</code>),
      column<ServiceKey>('source', word('keys.source'), ({ source }) => named('key-source', source)),
      column<ServiceKey>('since', word('keys.since'), ({ createdAt }) => (createdAt === null ? '' : date(createdAt))),
      column<ServiceKey>('until', word('keys.until'), ({ endsAt }) => (
        <>
          {endsAt === null ? word('keys.no-end') : date(endsAt)}{' '}
          {endsAt !== null && Date.parse(endsAt) <= Date.now() && <Badge kind="warn">{word('keys.ended')}</Badge>}
        </>
      )),
    ],
    [word, named, date],
  )
  return (
    <>
      <h1>{word('keys.title')}</h1>
      <p className="lede">{word('keys.lede')}</p>
      <p>{word('keys.change')}</p>
      <ul>
        {commands.map((command) => (
          <li key={command}>
            <code dir="ltr">npm run civigraph -- keys {command}</code>
          </li>
        ))}
      </ul>
      <p className="quiet">{word('keys.settings-help')}</p>
      <Problem error={pages.problem} />
      <PagedTable pages={pages} caption={word('keys.title')} columns={columns} keyOf={({ id }) => id} empty={word('keys.empty')} />
    </>
  )
}
