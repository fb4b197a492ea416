import { CitizenErasurePreviewDocument, EraseCitizenDocument } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { FocusedText } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { useWords } from '../words/words.ts'
import { ErasureReport } from './erasure-report.tsx'
import { useErasureWords } from './erasure-words/words.ts'
import type { CitizenInput } from './references.tsx'

export interface EraseCitizenProps {
  readonly input: CitizenInput
  readonly onClose: () => void
  readonly onErased: () => void
}

/** Lists what an erasure removes and what remains, erases after the code is entered again, and ends on the certificate. */
export function EraseCitizen({ input, onClose, onErased }: EraseCitizenProps) {
  const { code } = input
  const { word } = useWords()
  const { word: erasureWord } = useErasureWords()
  const [preview] = useQuery({ query: CitizenErasurePreviewDocument, variables: { input }, requestPolicy: 'network-only' })
  const [{ data, error, fetching }, erase] = useMutation(EraseCitizenDocument)
  const [typed, setTyped] = useState('')
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const { data: done } = await erase({ input })
    if (done?.eraseCitizen != null) onErased()
  }
  const removed = data?.eraseCitizen
  return (
    <Dialog title={word('erase.window', { code })} isOpen onClose={onClose}>
      {removed == null ? (
        <form className="column" onSubmit={submit}>
          <Problem error={preview.error} />
          {preview.data?.citizenErasurePreview == null ? (
            preview.fetching && <p role="status">{erasureWord('erasure.counting')}</p>
          ) : (
            <ErasureReport reports={preview.data.citizenErasurePreview} isPreview level="h3" />
          )}
          <p>{word('erase.sure')}</p>
          <Field label={word('citizens.code')} value={typed} onChange={setTyped} autoComplete="off" autoFocus />
          <Problem error={error} />
          <div className="row">
            <Button onPress={onClose}>{word('cancel')}</Button>
            <Button look="danger" type="submit" isDisabled={typed.trim() !== code} isPending={fetching}>
              {word('erase.do')}
            </Button>
          </div>
        </form>
      ) : (
        <>
          <FocusedText>{word('erase.done', { count: removed.erasedJobs })}</FocusedText>
          {removed.erasure.completedAt == null && <p className="notice">{erasureWord('erasure.running')}</p>}
          {removed.erasure.isUnknown && <p className="notice">{erasureWord('erasure.unknown')}</p>}
          <ErasureReport reports={removed.erasure.components} level="h3" />
          <div className="row">
            <Button look="main" onPress={onClose}>
              {word('close')}
            </Button>
            <a href={`#/erasures/${removed.erasure.id}`}>{erasureWord('erasure.open')}</a>
          </div>
        </>
      )}
    </Dialog>
  )
}
