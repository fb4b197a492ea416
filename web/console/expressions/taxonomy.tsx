import { DomainsDocument, SynchroniseTaxonomiesDocument } from '@civigraph/client/documents'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { labelIn } from '../../shared/words/words-in.ts'
import { useWords } from '../words/words.ts'

/** The topics with the number of expressions in each. */
export function Taxonomy() {
  const { word, number, language } = useWords()
  const [{ data, error }] = useQuery({ query: DomainsDocument })
  const [synchronisation, synchronise] = useMutation(SynchroniseTaxonomiesDocument)
  const done = synchronisation.data?.synchroniseTaxonomies
  return (
    <section aria-labelledby="taxonomy">
      <h2 id="taxonomy">{word('taxonomy.title')}</h2>
      <Problem error={error ?? synchronisation.error} />
      <ul className="taxonomy">
        {data?.domains?.domains.map(({ id, labels, slug, statistics, subDomains }) => (
          <li key={id}>
            <details>
              <summary>
                {labelIn(language, labels) ?? slug} <span className="quiet">{number(statistics.expressions)}</span>
              </summary>
              <ul>
                {subDomains?.map((sub) => (
                  <li key={sub.id}>{labelIn(language, sub.labels) ?? sub.slug}</li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      <p>
        <a href="#/expressions/taxonomy">{word('taxonomy.edit')}</a>
      </p>
      <p>
        <Button isPending={synchronisation.fetching} onPress={() => void synchronise({})}>
          {word('taxonomy.synchronise')}
        </Button>{' '}
        <span role="status">
          {done != null && word('taxonomy.synchronised', { added: done.added, updated: done.updated, removed: done.removed })}
        </span>
      </p>
    </section>
  )
}
