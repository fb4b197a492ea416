import {
  MergeTaxonomyDomainDocument,
  MoveTaxonomyDomainDocument,
  RetireTaxonomyDomainDocument,
  TaxonomyDraftTextsDocument,
  type TaxonomyDraftTextsQuery,
  UpdateTaxonomyDomainDocument,
} from '@civigraph/client/documents'
import { useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Problem } from '../../components/problem.tsx'
import { useWords } from '../words/words.ts'
import { type Draft, languagesOf, treeOf, useLanguageNames, useNames, useTaxonomyWords } from './use-draft.ts'

type Texts = NonNullable<TaxonomyDraftTextsQuery['taxonomyDraftDomain']>
const [top, none] = [' top', ' none']

export interface DomainDialogProps {
  readonly draft: Draft
  readonly domainKey: string
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** A domain of the draft: its texts by language, its place, and how to merge or retire it. */
export function DomainDialog(props: DomainDialogProps) {
  const { word } = useTaxonomyWords()
  const nameOf = useNames(props.draft)
  const [{ data, error }] = useQuery({
    query: TaxonomyDraftTextsDocument,
    variables: { key: props.domainKey },
    requestPolicy: 'network-only',
  })
  const texts = data?.taxonomyDraftDomain
  return (
    <Dialog title={nameOf(props.domainKey)} isOpen onClose={props.onClose}>
      <p className="quiet">
        {word('taxonomy.key')} <code dir="ltr">{props.domainKey}</code>
      </p>
      <Problem error={error} />
      {texts != null && (
        <>
          <TextForm {...props} texts={texts} />
          <PlaceForm {...props} texts={texts} />
        </>
      )}
    </Dialog>
  )
}

function TextForm({ draft, domainKey, onChanged, onClose, texts }: DomainDialogProps & { texts: Texts }) {
  const { word } = useTaxonomyWords()
  const nameOfLanguage = useLanguageNames()
  const [{ error, fetching }, update] = useMutation(UpdateTaxonomyDomainDocument)
  const known = [...texts.labels, ...texts.examples, ...texts.words, ...texts.descriptions].map(({ lang }) => lang)
  const [added, setAdded] = useState<readonly string[]>([])
  const codes = [...new Set([...languagesOf(draft), ...known, ...added])]
  const [lang, setLang] = useState(codes[0] ?? 'fr')
  const [labels, setLabels] = useState(() => byLanguage(texts.labels))
  const [descriptions, setDescriptions] = useState(() => byLanguage(texts.descriptions))
  const [words, setWords] = useState(() => byLanguage(texts.words))
  const [examples, setExamples] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(codes.map((code) => [code, texts.examples.flatMap((each) => (each.lang === code ? [each.text] : [])).join('\n')])),
  )
  const save = async (): Promise<void> => {
    const { data } = await update({
      input: {
        key: domainKey,
        // the texts may be newer than the draft of the page
        revision: Math.max(draft.revision, texts.revision),
        labels: listed(labels),
        descriptions: listed(descriptions),
        words: listed(words),
        examples: Object.entries(examples).flatMap(([code, lines]) =>
          lines.split('\n').flatMap((text) => (text.trim() === '' ? [] : [{ lang: code, text: text.trim() }])),
        ),
      },
    })
    if (data?.updateTaxonomyDomain != null) onChanged()
  }
  return (
    <Form
      error={error}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Choice
        label={word('taxonomy.language')}
        value={lang}
        onChange={setLang}
        options={codes.map((id) => ({ id, text: nameOfLanguage(id) }))}
      />
      <OtherLanguage
        onAdded={(code) => {
          setAdded([...added, code])
          setLang(code)
        }}
      />
      <Field
        name="labels"
        label={word('taxonomy.label')}
        value={labels[lang] ?? ''}
        onChange={(text) => setLabels({ ...labels, [lang]: text })}
        maxLength={120}
      />
      <Field
        name="descriptions"
        label={word('taxonomy.description')}
        isLong
        value={descriptions[lang] ?? ''}
        onChange={(text) => setDescriptions({ ...descriptions, [lang]: text })}
      />
      <Field
        name="examples"
        label={word('taxonomy.examples')}
        help={word('taxonomy.examples-help')}
        isLong
        rows={6}
        value={examples[lang] ?? ''}
        onChange={(text) => setExamples({ ...examples, [lang]: text })}
      />
      <Field
        name="words"
        label={word('taxonomy.words')}
        help={word('taxonomy.words-help')}
        isLong
        value={words[lang] ?? ''}
        onChange={(text) => setWords({ ...words, [lang]: text })}
      />
      <div className="row">
        <Button onPress={onClose}>{word('cancel')}</Button>
        <Button look="main" type="submit" isPending={fetching}>
          {word('taxonomy.save')}
        </Button>
      </div>
    </Form>
  )
}

/** Adds a language that no domain has texts in yet. */
function OtherLanguage({ onAdded }: { onAdded: (code: string) => void }) {
  const { word } = useTaxonomyWords()
  const nameOfLanguage = useLanguageNames()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const code = typed.trim().toLowerCase()
  const isCode = /^[a-z]{2,3}$/.test(code)
  const add = (): void => {
    onAdded(code)
    setTyped('')
    setOpen(false)
  }
  if (!isOpen) return <Button onPress={() => setOpen(true)}>{word('taxonomy.other-language')}</Button>
  return (
    <>
      <Field
        name="language-code"
        label={word('taxonomy.language-code')}
        help={word('taxonomy.language-code-help')}
        value={typed}
        onChange={setTyped}
        maxLength={3}
      />
      <div className="row">
        <Button isDisabled={!isCode} onPress={add}>
          {isCode ? word('taxonomy.add-language', { language: nameOfLanguage(code) }) : word('taxonomy.other-language')}
        </Button>
      </div>
    </>
  )
}

const byLanguage = (texts: readonly { readonly lang: string; readonly text: string }[]): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.map(({ lang, text }) => [lang, text]))

const listed = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).flatMap(([lang, text]) => (text.trim() === '' ? [] : [{ lang, text: text.trim().replaceAll(/\s+/gu, ' ') }]))

function PlaceForm({ draft, domainKey: key, onChanged, texts }: DomainDialogProps & { texts: Texts }) {
  const { word } = useTaxonomyWords()
  const { word: consoleWord } = useWords()
  const nameOf = useNames(draft)
  const { revision } = draft
  const [moving, move] = useMutation(MoveTaxonomyDomainDocument)
  const [merging, merge] = useMutation(MergeTaxonomyDomainDocument)
  const [retiring, retire] = useMutation(RetireTaxonomyDomainDocument)
  const [parent, setParent] = useState(texts.parentKey ?? top)
  const [other, setOther] = useState(none)
  const parents = treeOf(draft.domains).flatMap(({ domain }) => (domain.key === key ? [] : [{ id: domain.key, text: nameOf(domain.key) }]))
  const others = draft.domains.flatMap((each) =>
    each.key === key
      ? []
      : [
          {
            id: each.key,
            text:
              each.parentKey == null
                ? nameOf(each.key)
                : consoleWord('topic.sub', { topic: nameOf(each.parentKey), subtopic: nameOf(each.key) }),
          },
        ],
  )
  const after = async (work: Promise<{ readonly error?: unknown }>): Promise<void> => {
    if ((await work).error === undefined) onChanged()
  }
  const successorKey = other === none ? null : other
  return (
    <section className="with-contents column">
      <h3>{word('taxonomy.place')}</h3>
      <Choice
        label={word('taxonomy.parent')}
        value={parent}
        onChange={setParent}
        options={[{ id: top, text: word('taxonomy.top') }, ...parents]}
      />
      <div className="row">
        <Button
          isPending={moving.fetching}
          isDisabled={parent === (texts.parentKey ?? top)}
          onPress={() => void after(move({ input: { key, revision, parentKey: parent === top ? null : parent } }))}
        >
          {word('taxonomy.move')}
        </Button>
      </div>
      <h3>{word('taxonomy.end')}</h3>
      <p className="quiet">{word('taxonomy.end-help')}</p>
      <Choice
        label={word('taxonomy.successor')}
        value={other}
        onChange={setOther}
        options={[{ id: none, text: word('taxonomy.no-successor') }, ...others]}
      />
      <Problem error={moving.error ?? merging.error ?? retiring.error} />
      <div className="row">
        <Button
          isPending={merging.fetching}
          isDisabled={successorKey === null}
          onPress={() => void after(merge({ input: { key, revision, intoKey: successorKey ?? '' } }))}
        >
          {word('taxonomy.merge')}
        </Button>
        <Button look="danger" isPending={retiring.fetching} onPress={() => void after(retire({ input: { key, revision, successorKey } }))}>
          {word('taxonomy.retire')}
        </Button>
      </div>
    </section>
  )
}
