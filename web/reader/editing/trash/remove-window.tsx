import { useEffect, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Problem } from '../../../components/problem.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { Window } from '../../../components/window.tsx'
import { usePlace } from '../../place/use-place.ts'
import { readSubtree } from '../../service/content-service.ts'
import type { ContentText, PlacedText } from '../../service/content-view.ts'
import { useWords } from '../../words/words.ts'
import type { Writer } from '../writer.ts'
import { forgetRemoved, keepRemoved } from './trash.ts'

export interface RemoveWindowProps {
  readonly node: PlacedText
  readonly writer: Writer
  readonly onRemoved: () => void
  readonly onLeave: () => void
}

/** Removes a text with all below it, once this browser has kept a copy, or somebody was told that it cannot. */
export function RemoveWindow({ node, writer, onRemoved, onLeave }: RemoveWindowProps) {
  const { word } = useWords()
  const { tenant } = usePlace()
  const [texts, setTexts] = useState<readonly ContentText[]>()
  const [isUnkept, setUnkept] = useState(false)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  useEffect(() => {
    readSubtree(tenant, node.id).then(setTexts, setError)
  }, [tenant, node.id])
  const remove = async (all: readonly ContentText[]): Promise<void> => {
    const copy = { tenant: node.tenant_id, at: new Date().toISOString(), texts: all }
    const isKept = keepRemoved(copy)
    setUnkept(!isKept)
    if (!isKept && !isUnkept) return
    setPending(true)
    setError(undefined)
    try {
      await writer.remove(node.id)
      onRemoved()
    } catch (refusal) {
      forgetRemoved(copy)
      setError(refusal instanceof Error ? refusal : new Error(String(refusal)))
      setPending(false)
    }
  }
  return (
    <Window title={word('remove.title', { title: node.title })} isOpen onClose={onLeave}>
      <div className="column">
        <p>{texts === undefined ? word('loading') : word('remove.about', { count: texts.length })}</p>
        {isUnkept && <p className="notice bad">{word('remove.unkept')}</p>}
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
              <Button look="danger" isPending={isPending} onPress={() => void remove(texts)}>
                {word('remove.do')}
              </Button>
            </>
          )}
        </div>
      </div>
    </Window>
  )
}
