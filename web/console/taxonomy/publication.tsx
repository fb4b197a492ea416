import { PublishTaxonomyDraftDocument } from '@civigraph/client/documents'
import { useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { type Draft, useTaxonomyWords } from './use-draft.ts'

/** Publishes the draft with a note. */
export function Publication({ draft, onPublished }: { draft: Draft; onPublished: () => void }) {
  const { word, number } = useTaxonomyWords()
  const [{ error, fetching, data }, publish] = useMutation(PublishTaxonomyDraftDocument)
  const [note, setNote] = useState('')
  const done = data?.publishTaxonomyDraft
  const save = async (): Promise<void> => {
    const { data: made } = await publish({ input: { revision: draft.revision, note } })
    if (made?.publishTaxonomyDraft == null) return
    setNote('')
    onPublished()
  }
  return (
    <section aria-labelledby="publish">
      <h2 id="publish">{word('taxonomy.publish')}</h2>
      <p>{word('taxonomy.publish-help')}</p>
      <Form
        error={error}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field name="note" label={word('taxonomy.note')} value={note} onChange={setNote} isRequired maxLength={1000} />
        <div className="row">
          <Button look="main" type="submit" isPending={fetching} isDisabled={draft.differences.length === 0 || draft.problems.length > 0}>
            {word('taxonomy.publish-now')}
          </Button>
        </div>
      </Form>
      <p role="status">{done != null && word('taxonomy.published', { version: number(done.version.number) })}</p>
    </section>
  )
}
