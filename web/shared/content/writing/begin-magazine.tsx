import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useContentPlace } from '../place/content-place.ts'
import { useContentWords } from '../words/words.ts'
import { NewText } from './new-text.tsx'
import type { Writer } from './writer.ts'

export interface BeginMagazineProps {
  readonly writer: Writer
  readonly tenantId: string
  readonly onBegun: () => void
  /** content shown until the user starts */
  readonly children?: ReactNode
}

/** Creates the first text of a tenant. */
export function BeginMagazine({ writer, tenantId, onBegun, children }: BeginMagazineProps) {
  const { word } = useContentWords()
  const { go } = useContentPlace()
  const [isWriting, setWriting] = useState(false)
  const begun = (): void => {
    onBegun()
    go(undefined)
  }
  return isWriting ? (
    <div className="sheet desk">
      <NewText writer={writer} parent={undefined} tenantId={tenantId} onCreated={begun} onLeave={() => setWriting(false)} />
    </div>
  ) : (
    <div className="sheet">
      <Button look="main" onPress={() => setWriting(true)}>
        {word('edit.root')}
      </Button>
      {children}
    </div>
  )
}
