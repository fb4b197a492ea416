import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useWords } from '../words/words.ts'

/** Shares the view: as a link through the device's share dialog or the clipboard, or on paper. */
export function ViewButtons() {
  const { word } = useWords()
  const [message, setMessage] = useState<'share.copied' | 'share.failed'>()
  const share = async (): Promise<void> => {
    const url = location.href
    try {
      if ('share' in navigator && matchMedia('(pointer: coarse)').matches) await navigator.share({ url, title: document.title })
      else {
        await navigator.clipboard.writeText(url)
        setMessage('share.copied')
      }
    } catch (error) {
      // the user closed the share dialog
      if (!(error instanceof DOMException && error.name === 'AbortError')) setMessage('share.failed')
    }
  }
  return (
    <>
      <Button className="button plain small" onPress={() => void share()}>
        {word('share-view')}
      </Button>
      <Button className="button plain small" onPress={() => print()}>
        {word('print')}
      </Button>
      <span role="status" className="quiet">
        {message !== undefined && word(message)}
      </span>
    </>
  )
}
