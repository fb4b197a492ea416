import { AddTaxonomyDomainDocument } from '@civigraph/client/documents'
import { useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { type Draft, languagesOf, treeOf, useLanguageNames, useNames, useTaxonomyWords } from './use-draft.ts'

const top = ' '

/** A form for a new domain or sub-domain. */
export function AddDomain({ draft, onChanged, onClose }: { draft: Draft; onChanged: () => void; onClose: () => void }) {
  const { word } = useTaxonomyWords()
  const nameOfLanguage = useLanguageNames()
  const nameOf = useNames(draft)
  const [{ error, fetching }, add] = useMutation(AddTaxonomyDomainDocument)
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({})
  const [key, setKey] = useState('')
  const [parent, setParent] = useState(top)
  const save = async (): Promise<void> => {
    const { data } = await add({
      input: {
        key,
        parentKey: parent === top ? null : parent,
        revision: draft.revision,
        labels: Object.entries(labels).flatMap(([lang, text]) => (text.trim() === '' ? [] : [{ lang, text: text.trim() }])),
      },
    })
    if (data?.addTaxonomyDomain != null) onChanged()
  }
  return (
    <Dialog title={word('taxonomy.add')} isOpen onClose={onClose}>
      <Form
        error={error}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {languagesOf(draft).map((code) => (
          <Field
            key={code}
            name={`label-${code}`}
            label={word('taxonomy.label-in', { language: nameOfLanguage(code) })}
            value={labels[code] ?? ''}
            onChange={(text) => setLabels({ ...labels, [code]: text })}
            maxLength={120}
          />
        ))}
        <Field
          name="key"
          label={word('taxonomy.key')}
          help={word('taxonomy.key-help')}
          value={key}
          onChange={setKey}
          isRequired
          maxLength={100}
        />
        <Choice
          label={word('taxonomy.parent')}
          value={parent}
          onChange={setParent}
          options={[
            { id: top, text: word('taxonomy.top') },
            ...treeOf(draft.domains).map(({ domain }) => ({ id: domain.key, text: nameOf(domain.key) })),
          ]}
        />
        <div className="row">
          <Button onPress={onClose}>{word('cancel')}</Button>
          <Button look="main" type="submit" isPending={fetching}>
            {word('taxonomy.add-to-draft')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
