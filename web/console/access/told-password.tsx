import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { FocusedText } from '../../components/focused-text.tsx'
import { useWords } from '../words/words.ts'

/** A password that is told once: the window stays until somebody says that it is written down. */
export function ToldPassword({ password, onRead }: { password: string; onRead: () => void }) {
  const { word } = useWords()
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    // without the permission it can still be marked and copied by hand
    await navigator.clipboard?.writeText(password).then(
      () => setCopied(true),
      () => undefined,
    )
  }
  return (
    <>
      <FocusedText>{word('accounts.told')}</FocusedText>
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
