import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { FocusedText } from '../../components/focused-text.tsx'
import { useWords } from '../words/words.ts'

/** Shows a password once; the window stays open until the user confirms that it is saved. */
export function NewPassword({ password, onRead }: { password: string; onRead: () => void }) {
  const { word } = useWords()
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
      <FocusedText>{word('accounts.password-shown')}</FocusedText>
      <p>
        <code className="cut" dir="ltr">
          {password}
        </code>
      </p>
      <p role="status">{isCopied && word('accounts.copied')}</p>
      <div className="row">
        <Button onPress={() => void copy()}>{word('accounts.copy')}</Button>
        <Button look="main" onPress={onRead}>
          {word('accounts.read')}
        </Button>
      </div>
    </>
  )
}
