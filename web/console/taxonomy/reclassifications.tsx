import {
  CancelReclassificationDocument,
  ReclassifyExpressionsDocument,
  TaxonomyReclassificationsDocument,
  type TaxonomyReclassificationsQuery,
} from '@civigraph/client/documents'
import { useMemo, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRepeated } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { type Draft, treeOf, useNames, useTaxonomyWords } from './use-draft.ts'

type Job = NonNullable<TaxonomyReclassificationsQuery['taxonomyReclassifications']>['nodes'][number]
const connectionOf = ({ taxonomyReclassifications }: TaxonomyReclassificationsQuery) => taxonomyReclassifications
const all = ' all'
const pollMs = 2000
const isOpen = ({ state }: Job): boolean => state === 'WAITING' || state === 'RUNNING'

/** Re-classifications of stored expressions with their progress, and a form for a new one. */
export function Reclassifications({ draft }: { draft: Draft }) {
  const { word, named, number, date } = useTaxonomyWords()
  const nameOf = useNames(draft)
  const pages = usePages(TaxonomyReclassificationsDocument, { first: 20 }, connectionOf)
  const [request, reclassify] = useMutation(ReclassifyExpressionsDocument)
  const [cancellation, cancel] = useMutation(CancelReclassificationDocument)
  const [domain, setDomain] = useState(all)
  const [rate, setRate] = useState('200')
  const { reload } = pages
  const isRunning = pages.rows.some(isOpen)
  useRepeated(pollMs, reload, isRunning)
  const begin = async (): Promise<void> => {
    await reclassify({ input: { rate: Number(rate), filter: domain === all ? null : { domainIds: [domain] } } })
    reload()
  }
  const columns = useMemo(
    () => [
      column<Job>('at', word('taxonomy.at'), ({ createdAt }) => date(createdAt)),
      column<Job>('version', word('taxonomy.version'), ({ version }) => number(version)),
      column<Job>('kind', word('taxonomy.kind'), ({ isFollowUp }) => word(isFollowUp ? 'taxonomy.follow-up' : 'taxonomy.on-request')),
      column<Job>('state', word('taxonomy.state'), ({ state, problem }) => problem ?? named('job-state', state)),
      column<Job>('progress', word('taxonomy.progress'), ({ examined, total, changed, kept }) =>
        word(total == null ? 'taxonomy.examined' : 'taxonomy.examined-of', { examined, total: total ?? 0, changed, kept }),
      ),
      column<Job>('cancel', word('cancel'), (job) =>
        isOpen(job) && !job.isFollowUp ? (
          <Button
            onPress={async () => {
              await cancel({ input: { key: job.key } })
              reload()
            }}
          >
            {word('cancel')}
          </Button>
        ) : (
          ''
        ),
      ),
    ],
    [word, named, number, date, cancel, reload],
  )
  const domains = treeOf(draft.domains).map(({ domain: each }) => ({ id: each.key, text: nameOf(each.key) }))
  return (
    <section>
      <h2>{word('taxonomy.reclassify')}</h2>
      <p>{word('taxonomy.reclassify-help')}</p>
      <Form
        error={request.error}
        onSubmit={(event) => {
          event.preventDefault()
          void begin()
        }}
      >
        <Choice
          label={word('taxonomy.domain')}
          value={domain}
          onChange={setDomain}
          options={[{ id: all, text: word('taxonomy.all-domains') }, ...domains]}
        />
        <Field
          name="rate"
          label={word('taxonomy.rate')}
          type="number"
          value={rate}
          onChange={setRate}
          isRequired
          input={{ min: '1', max: '1000' }}
        />
        <div className="row">
          <Button type="submit" isPending={request.fetching}>
            {word('taxonomy.reclassify-now')}
          </Button>
        </div>
      </Form>
      <Problem error={pages.problem ?? cancellation.error} />
      <h3>{word('taxonomy.jobs')}</h3>
      <PagedTable
        pages={pages}
        caption={word('taxonomy.reclassify')}
        columns={columns}
        keyOf={({ key }) => key}
        empty={word('taxonomy.no-jobs')}
      />
    </section>
  )
}
