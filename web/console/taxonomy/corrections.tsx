import { AddTaxonomyExamplesDocument, TaxonomyCorrectionsDocument, type TaxonomyCorrectionsQuery } from '@civigraph/client/documents'
import { useMemo, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Problem } from '../../components/problem.tsx'
import { usePages } from '../../shared/graph/pages.ts'
import { labelIn } from '../../shared/words/words-in.ts'
import { type Draft, treeOf, useNames, useTaxonomyWords } from './use-draft.ts'

type Correction = NonNullable<TaxonomyCorrectionsQuery['taxonomyCorrections']>['nodes'][number]
const connectionOf = ({ taxonomyCorrections }: TaxonomyCorrectionsQuery) => taxonomyCorrections
const all = ' all'

/** Corrections by people, by domain; each text can become an example phrase of the draft. */
export function Corrections({ draft, onChanged }: { draft: Draft; onChanged: () => void }) {
  const { word, date, language, number } = useTaxonomyWords()
  const nameOf = useNames(draft)
  const [domain, setDomain] = useState(all)
  const pages = usePages(TaxonomyCorrectionsDocument, { first: 20, filter: domain === all ? null : { domainId: domain } }, connectionOf)
  const [{ error, fetching }, add] = useMutation(AddTaxonomyExamplesDocument)
  const { reload } = pages
  const { revision } = draft
  const columns = useMemo(() => {
    const addOne = async (id: string): Promise<void> => {
      const { data } = await add({ input: { expressionIds: [id], revision } })
      if (data?.addTaxonomyExamples == null) return
      reload()
      onChanged()
    }
    return [
      column<Correction>('text', word('taxonomy.text'), ({ expression }) => (
        <span className="why" dir="auto" lang={expression?.lang?.code}>
          {expression?.text}
        </span>
      )),
      column<Correction>('domain', word('taxonomy.domain'), (row) =>
        row.domain == null ? word('taxonomy.none') : (labelIn(language, row.domain.labels ?? []) ?? row.domain.id),
      ),
      column<Correction>('at', word('taxonomy.at'), ({ correctedAt }) => date(correctedAt)),
      column<Correction>('add', word('taxonomy.add-example'), ({ isExample, expression, domain }) =>
        isExample ? (
          word('taxonomy.is-example')
        ) : expression == null || domain == null ? (
          ''
        ) : (
          <Button isPending={fetching} onPress={() => void addOne(expression.id)}>
            {word('taxonomy.add-example')}
          </Button>
        ),
      ),
    ]
  }, [word, date, language, fetching, add, reload, onChanged, revision])
  const domains = treeOf(draft.domains).map(({ domain: { key, correctionCount } }) => ({
    id: key,
    text: word('taxonomy.domain-with-count', { name: nameOf(key), count: number(correctionCount) }),
  }))
  return (
    <section>
      <h2>{word('taxonomy.corrections')}</h2>
      <p>{word('taxonomy.corrections-help')}</p>
      <div className="filters">
        <Choice
          label={word('taxonomy.domain')}
          value={domain}
          onChange={setDomain}
          options={[{ id: all, text: word('taxonomy.all-domains') }, ...domains]}
        />
      </div>
      <Problem error={pages.problem ?? error} />
      <PagedTable
        pages={pages}
        caption={word('taxonomy.corrections')}
        columns={columns}
        keyOf={({ expression, correctedAt }) => `${correctedAt} ${expression?.id}`}
        empty={word('taxonomy.no-corrections')}
      />
    </section>
  )
}
