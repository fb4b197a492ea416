import { EraseCitizenDocument } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { FocusedText } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { useWords } from '../words/words.ts'

export interface EraseCitizenProps {
  readonly code: string
  readonly onClose: () => void
  readonly onErased: () => void
}

/** Erases a citizen after the code is entered again, then shows the count of erased verifications. */
export function EraseCitizen({ code, onClose, onErased }: EraseCitizenProps) {
  const { word } = useWords()
  const [{ data, error, fetching }, erase] = useMutation(EraseCitizenDocument)
  const [typed, setTyped] = useState('')
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const { data: done } = await erase({ input: { code } })
    if (done?.eraseCitizen != null) onErased()
  }
  const removed = data?.eraseCitizen
  return (
    <Dialog title={word('erase.window', { code })} isOpen onClose={onClose}>
      {removed == null ? (
        <form className="column" onSubmit={submit}>
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
          <Button look="main" onPress={onClose}>
            {word('close')}
          </Button>
        </>
      )}
    </Dialog>
  )
}
