import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useWords } from '../words/words.ts'

/** @param what - it says what it copies   @param text - asked for when it is pressed */
export function CopyButton({ what, text }: { what: string; text: () => string | Promise<string> }) {
  const { word } = useWords()
  const [said, say] = useState<'copied' | 'not-copied'>()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await text())
      say('copied')
    } catch {
      say('not-copied')
    }
  }
  return (
    <>
      <Button onPress={() => void copy()}>{what}</Button>
      <span role="status" className="quiet">
        {said !== undefined && word(said)}
      </span>
    </>
  )
}
