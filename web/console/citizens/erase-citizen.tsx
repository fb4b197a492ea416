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

/**
 * Lists what an erasure removes and what remains, erases after the code is entered again, and ends on the certificate. A code without data needs a
 * second confirmation, because it may be misspelt.
 */
export function EraseCitizen({ input, onClose, onErased }: EraseCitizenProps) {
  const { code } = input
  const { word } = useWords()
  const { word: erasureWord } = useErasureWords()
  const [preview] = useQuery({ query: CitizenErasurePreviewDocument, variables: { input }, requestPolicy: 'network-only' })
  const [{ data, error, fetching }, erase] = useMutation(EraseCitizenDocument)
  const [typed, setTyped] = useState('')
  const [isAware, setAware] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const { data: done } = await erase({ input })
    if (done?.eraseCitizen != null) onErased()
  }
  const removed = data?.eraseCitizen
  // until then there is no field: what appears above it would move it, and the focus, out of the window
  const isCounting = preview.data?.citizenErasurePreview == null && preview.error === undefined
  const isUnknown = preview.data?.citizenErasurePreview?.every(({ erased }) => erased.length === 0) === true
  return (
    <Dialog title={word('erase.window', { code })} isOpen onClose={onClose}>
      {removed == null ? (
        <form className="column" onSubmit={submit}>
          <Problem error={preview.error} />
          {preview.data?.citizenErasurePreview != null && (
            <ErasureReport reports={preview.data.citizenErasurePreview} isPreview level="h3" />
          )}
          {isCounting ? (
            <p role="status">{erasureWord('erasure.counting')}</p>
          ) : (
            <>
              <p>{word('erase.sure')}</p>
              <Field label={word('citizens.code')} value={typed} onChange={setTyped} autoComplete="off" autoFocus />
              {isUnknown && (
                <>
                  <p className="notice">{erasureWord('erasure.unknown')}</p>
                  <label className="check">
                    <input type="checkbox" checked={isAware} onChange={() => setAware(!isAware)} /> {erasureWord('erasure.aware')}
                  </label>
                </>
              )}
            </>
          )}
          <Problem error={error} />
          <div className="row">
            <Button onPress={onClose}>{word('cancel')}</Button>
            <Button
              look="danger"
              type="submit"
              isDisabled={isCounting || typed.trim() !== code || (isUnknown && !isAware)}
              isPending={fetching}
            >
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
