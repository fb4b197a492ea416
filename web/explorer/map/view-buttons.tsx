import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useWords } from '../words/words.ts'

/** Hands this view on: as a link, by what the device shares with or the clipboard, and on paper. */
export function ViewButtons() {
  const { word } = useWords()
  const [said, say] = useState<'share.copied' | 'share.failed'>()
  const share = async (): Promise<void> => {
    const url = location.href
    try {
      if ('share' in navigator && matchMedia('(pointer: coarse)').matches) await navigator.share({ url, title: document.title })
      else {
        await navigator.clipboard.writeText(url)
        say('share.copied')
      }
    } catch (error) {
      // whoever closes the list of the device has not shared, and knows it
      if (!(error instanceof DOMException && error.name === 'AbortError')) say('share.failed')
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
        {said !== undefined && word(said)}
      </span>
    </>
  )
}
