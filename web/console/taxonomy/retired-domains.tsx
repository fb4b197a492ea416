import { RestoreTaxonomyDomainDocument } from '@civigraph/client/documents'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { type Draft, useNames, useTaxonomyWords } from './use-draft.ts'

/** Domains that the draft does not use, with their successors; each can be used again. */
export function RetiredDomains({ draft, onChanged }: { draft: Draft; onChanged: () => void }) {
  const { word, language } = useTaxonomyWords()
  const nameOf = useNames(draft)
  const [{ error, fetching }, restore] = useMutation(RestoreTaxonomyDomainDocument)
  const useAgain = async (key: string): Promise<void> => {
    const { data } = await restore({ input: { key, revision: draft.revision } })
    if (data?.restoreTaxonomyDomain != null) onChanged()
  }
  if (draft.retired.length === 0) return null
  const retired = draft.retired.toSorted((one, other) => nameOf(one.key).localeCompare(nameOf(other.key), language))
  return (
    <section aria-labelledby="retired">
      <h2 id="retired">{word('taxonomy.retired')}</h2>
      <Problem error={error} />
      <ul className="lines domains">
        {retired.map(({ key, successorKey }) => (
          <li key={key}>
            {nameOf(key)}{' '}
            <span className="quiet">
              {successorKey == null ? word('taxonomy.not-replaced') : word('taxonomy.replaced', { name: nameOf(successorKey) })}
            </span>{' '}
            <Button
              isPending={fetching}
              aria-label={word('taxonomy.restore-domain', { name: nameOf(key) })}
              onPress={() => void useAgain(key)}
            >
              {word('taxonomy.restore')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
