import { useState, useSyncExternalStore } from 'react'
import { Button } from '../../../components/button.tsx'
import { Problem } from '../../../components/problem.tsx'
import { usePlace } from '../../place/use-place.ts'
import { written } from '../../reading/writing.ts'
import { useWords } from '../../words/words.ts'
import type { Writer } from '../writer.ts'
import { forgetRemoved, onTrash, type Removed, removed } from './trash.ts'

/** What was removed in this browser, each with the way back to where it stood. */
export function TrashList({ tenantId, writer, onRestored }: { tenantId: string; writer: Writer; onRestored: () => void }) {
  const { word, date } = useWords()
  const { go } = usePlace()
  const [error, setError] = useState<Error>()
  const [restoring, setRestoring] = useState<string>()
  const kept = JSON.parse(useSyncExternalStore(onTrash, () => JSON.stringify(removed()))) as readonly Removed[]
  const own = kept.filter(({ tenant }) => tenant === tenantId)
  if (own.length === 0) return null
  const restore = async (each: Removed): Promise<void> => {
    setRestoring(each.at)
    setError(undefined)
    try {
      await writer.restore(each.texts)
      forgetRemoved(each)
      onRestored()
      go(each.texts[0]?.id)
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal : new Error(String(refusal)))
    } finally {
      setRestoring(undefined)
    }
  }
  return (
    <section aria-labelledby="trash">
      <h2 id="trash">{word('trash.title')}</h2>
      <Problem error={error} />
      <ul className="trash">
        {own.map((each) => {
          const [top] = each.texts
          const title = top?.title ?? ''
          return (
            <li key={each.at} className="row">
              <span {...written({ locale: top?.locale ?? null })}>{title}</span>
              <span className="quiet">{word('trash.at', { moment: date(each.at) })}</span>
              <Button isPending={restoring === each.at} onPress={() => void restore(each)}>
                {word('trash.restore', { title })}
              </Button>
              <Button onPress={() => forgetRemoved(each)}>{word('trash.forget', { title })}</Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
