import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TrashList } from '../../shared/content/trash-list.tsx'
import { usePlace } from '../place/use-place.ts'
import { useWords } from '../words/words.ts'
import { NewText } from './text/new-text.tsx'
import { useWriter } from './use-writer.ts'

/** Where a tenant has no text yet: the first one, by whoever may write it. @param tenant - '': the one that the service shows */
export function BeginMagazine({ tenant, onBegun }: { tenant: string; onBegun: () => void }) {
  const { word } = useWords()
  const { go } = usePlace()
  const [isWriting, setWriting] = useState(false)
  const tenantId = tenant || 'default'
  const writer = useWriter(tenantId)
  if (writer === undefined) return null
  const begun = (): void => {
    onBegun()
    go(undefined)
  }
  return isWriting ? (
    <div className="sheet desk">
      <NewText writer={writer} above={undefined} tenantId={tenantId} onCreated={begun} onLeave={() => setWriting(false)} />
    </div>
  ) : (
    <div className="sheet">
      <Button look="main" onPress={() => setWriting(true)}>
        {word('edit.root')}
      </Button>
      <TrashList tenantId={tenantId} onRestored={begun} />
    </div>
  )
}
