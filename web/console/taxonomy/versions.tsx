import { RollBackTaxonomyDocument, TaxonomyVersionsDocument, type TaxonomyVersionsQuery } from '@civigraph/client/documents'
import { useMemo, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Problem } from '../../components/problem.tsx'
import { usePages } from '../../shared/graph/pages.ts'
import { useTaxonomyWords } from './use-draft.ts'

type Version = NonNullable<TaxonomyVersionsQuery['taxonomyVersions']>['nodes'][number]
const connectionOf = ({ taxonomyVersions }: TaxonomyVersionsQuery) => taxonomyVersions

/** Published versions, newest first; each earlier one can be published again. */
export function Versions({ onPublished }: { onPublished: () => void }) {
  const { word, date, number } = useTaxonomyWords()
  const pages = usePages(TaxonomyVersionsDocument, { first: 20 }, connectionOf)
  const [chosen, choose] = useState<Version>()
  const published = pages.rows[0]?.number ?? 0
  const columns = useMemo(
    () => [
      column<Version>('number', word('taxonomy.version'), (row) => number(row.number)),
      column<Version>('at', word('taxonomy.at'), ({ at }) => date(at)),
      column<Version>('note', word('taxonomy.note'), ({ note }) => (
        <span className="why" dir="auto">
          {note}
        </span>
      )),
      column<Version>('change', word('taxonomy.changes'), ({ added, updated, removed }) =>
        word('taxonomy.change-counts', { added, updated, removed }),
      ),
      column<Version>('author', word('taxonomy.author'), ({ author, administrator }) => (
        <bdi className="cut" title={author}>
          {administrator?.name ?? administrator?.email ?? author}
        </bdi>
      )),
      column<Version>('back', word('taxonomy.roll-back'), (row) =>
        row.number === published ? (
          word('taxonomy.current')
        ) : (
          <Button onPress={() => choose(row)}>{word('taxonomy.roll-back-to', { version: number(row.number) })}</Button>
        ),
      ),
    ],
    [word, date, number, published],
  )
  return (
    <section>
      <h2>{word('taxonomy.versions')}</h2>
      <Problem error={pages.problem} />
      <PagedTable
        pages={pages}
        caption={word('taxonomy.versions')}
        columns={columns}
        keyOf={(row) => String(row.number)}
        empty={word('taxonomy.no-versions')}
      />
      {chosen !== undefined && (
        <RollBack
          version={chosen.number}
          published={published}
          onClose={() => choose(undefined)}
          onDone={() => {
            choose(undefined)
            onPublished()
          }}
        />
      )}
    </section>
  )
}

interface RollBackProps {
  readonly version: number
  readonly published: number
  readonly onClose: () => void
  readonly onDone: () => void
}

function RollBack({ version, published, onClose, onDone }: RollBackProps) {
  const { word, number } = useTaxonomyWords()
  const [{ error, fetching }, rollBack] = useMutation(RollBackTaxonomyDocument)
  const [note, setNote] = useState('')
  const save = async (): Promise<void> => {
    const { data } = await rollBack({ input: { version, publishedVersion: published, note } })
    if (data?.rollBackTaxonomy != null) onDone()
  }
  return (
    <Dialog title={word('taxonomy.roll-back-to', { version: number(version) })} isOpen onClose={onClose}>
      <p>{word('taxonomy.roll-back-help')}</p>
      <Form
        error={error}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field name="note" label={word('taxonomy.note')} value={note} onChange={setNote} isRequired maxLength={1000} />
        <div className="row">
          <Button onPress={onClose}>{word('cancel')}</Button>
          <Button look="danger" type="submit" isPending={fetching}>
            {word('taxonomy.roll-back')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
