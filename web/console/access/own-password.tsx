import { ChangeOwnPasswordDocument } from '@civigraph/client/documents'
import type { FormEvent } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'
import { useAccountWords } from './account-form.tsx'

/** Changes the password of the signed-in user, who then signs in again. */
export function OwnPassword({ onClose }: { onClose: () => void }) {
  const { word } = useWords()
  const { word: accountWord } = useAccountWords()
  const { signOut } = useSession()
  const [{ error, fetching }, change] = useMutation(ChangeOwnPasswordDocument)
  const isWrong = error?.graphQLErrors.some(({ extensions }) => extensions.code === 'INVALID_CREDENTIALS') === true
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [currentPassword, newPassword] = [String(form.get('currentPassword')), String(form.get('newPassword'))]
    const { data } = await change({ input: { currentPassword, newPassword } })
    if (data?.changeOwnPassword != null) await signOut()
  }
  return (
    <Dialog title={accountWord('own.change')} isOpen onClose={onClose}>
      <Form onSubmit={submit} error={isWrong ? undefined : error}>
        <p>{accountWord('own.ends')}</p>
        <Field
          name="currentPassword"
          label={accountWord('own.current')}
          type="password"
          autoComplete="current-password"
          isRequired
          autoFocus
          problem={isWrong ? accountWord('own.wrong') : undefined}
        />
        <Field
          name="newPassword"
          label={accountWord('own.new')}
          help={accountWord('own.new-help')}
          type="password"
          autoComplete="new-password"
          isRequired
          minLength={12}
        />
        <div className="row">
          <Button onPress={onClose}>{word('cancel')}</Button>
          <Button look="main" type="submit" isPending={fetching}>
            {accountWord('own.change')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
