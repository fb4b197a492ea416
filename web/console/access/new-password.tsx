import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { FocusedText } from '../../components/keyboard.tsx'
import { useAccountWords } from './account-form.tsx'

/** Shows a password once; the dialog stays open until the user confirms that it is saved. */
export function NewPassword({ password, onRead }: { password: string; onRead: () => void }) {
  const { word: accountWord } = useAccountWords()
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    // without the permission the user can still select and copy the password
    await navigator.clipboard?.writeText(password).then(
      () => setCopied(true),
      () => undefined,
    )
  }
  return (
    <>
      <FocusedText>{accountWord('accounts.password-shown')}</FocusedText>
      <p>
        <code className="cut" dir="ltr">
          {password}
        </code>
      </p>
      <p role="status">{isCopied && accountWord('accounts.copied')}</p>
      <div className="row">
        <Button onPress={() => void copy()}>{accountWord('accounts.copy')}</Button>
        <Button look="main" onPress={onRead}>
          {accountWord('accounts.read')}
        </Button>
      </div>
    </>
  )
}
