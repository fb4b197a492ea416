import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useWords } from '../words/words.ts'

/** @param label - of the button   @param text - called on press */
export function CopyButton({ label, text }: { label: string; text: () => string | Promise<string> }) {
  const { word } = useWords()
  const [message, setMessage] = useState<'copied' | 'not-copied'>()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await text())
      setMessage('copied')
    } catch {
      setMessage('not-copied')
    }
  }
  return (
    <>
      <Button onPress={() => void copy()}>{label}</Button>
      <span role="status" className="quiet">
        {message !== undefined && word(message)}
      </span>
    </>
  )
}
