import { HealthDocument } from '@civigraph/client/documents'
import { useQuery } from 'urql'
import { Badge } from '../../components/status.tsx'
import { useWords } from '../words/words.ts'

/** The difference between the search index and the analytics database at their last comparison. */
export function IndexState() {
  const { word } = useWords()
  const [{ data }] = useQuery({ query: HealthDocument, requestPolicy: 'cache-and-network' })
  const index = data?.classification?.checks.find(({ name }) => name === 'search_index')
  if (index === undefined) return null
  const { drift, engine } = index
  return (
    <section aria-labelledby="index">
      <h2 id="index">{word('index.title')}</h2>
      <p>
        {engine}{' '}
        <Badge kind={drift === 0 ? 'good' : drift === null ? 'plain' : 'warn'}>
          {word(drift === 0 ? 'index.same' : drift === null ? 'index.unknown' : 'index.differs', { count: drift ?? 0 })}
        </Badge>
      </p>
      {drift !== null && drift > 0 && <p className="quiet">{word('index.help')}</p>}
    </section>
  )
}
