import { useEffect, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Problem } from '../../../components/problem.tsx'
import { errorOf } from '../../frame/fault-boundary.tsx'
import { saveFile } from '../../frame/page-document.ts'
import { useContentPlace } from '../place/content-place.ts'
import type { ContentText, PlacedText } from '../place/content-view.ts'
import { useContentWords } from '../words/words.ts'
import type { Writer } from './writer.ts'

export interface RemoveDialogProps {
  readonly node: PlacedText
  readonly writer: Writer
  readonly onRemoved: () => void
  readonly onLeave: () => void
}

/** Moves a text with its descendants to the tenant's trash. */
export function RemoveDialog({ node, writer, onRemoved, onLeave }: RemoveDialogProps) {
  const { word } = useContentWords()
  const { library } = useContentPlace()
  const [texts, setTexts] = useState<readonly ContentText[]>()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  useEffect(() => {
    library.readSubtree(node.id).then(setTexts, setError)
  }, [library, node.id])
  const remove = async (): Promise<void> => {
    setPending(true)
    setError(undefined)
    try {
      await writer.remove(node.id)
      onRemoved()
    } catch (refusal) {
      setError(errorOf(refusal))
      setPending(false)
    }
  }
  return (
    <Dialog title={word('remove.title', { title: node.title })} isOpen onClose={onLeave}>
      <div className="column">
        <p>{texts === undefined ? word('loading') : word('remove.about', { count: texts.length })}</p>
        <Problem error={error} />
        <div className="row">
          <Button onPress={onLeave}>{word('cancel')}</Button>
          {texts !== undefined && (
            <>
              <Button
                onPress={() =>
                  saveFile(`${node.slug}.ndjson`, 'application/x-ndjson', texts.map((text) => JSON.stringify(text)).join('\n'))
                }
              >
                {word('remove.file')}
              </Button>
              <Button look="danger" isPending={isPending} onPress={() => void remove()}>
                {word('remove.do')}
              </Button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  )
}
