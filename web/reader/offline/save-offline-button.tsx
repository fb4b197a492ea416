import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { usePlace } from '../place/use-place.ts'
import { readWhole } from '../service/content-service.ts'
import { useWords } from '../words/words.ts'
import { useOfflineCache } from './offline-cache.ts'

type Step = { readonly step: 'none' | 'reading' | 'failed' } | { readonly step: 'kept'; readonly count: number }

/** Reads the whole magazine, so that the service worker caches it. Hidden where browsers have no cache. */
export function SaveOfflineButton() {
  const { word } = useWords()
  const { tenant, access } = usePlace()
  const { isSaving } = useOfflineCache()
  const [saving, setKeeping] = useState<Step>({ step: 'none' })
  if (!isSaving || access !== undefined) return null
  const keepAll = async (): Promise<void> => {
    setKeeping({ step: 'reading' })
    try {
      const { texts } = await readWhole(tenant)
      setKeeping({ step: 'kept', count: texts.length })
    } catch {
      setKeeping({ step: 'failed' })
    }
  }
  return (
    <>
      <Button isPending={saving.step === 'reading'} onPress={() => void keepAll()}>
        {word('offline.keep')}
      </Button>
      <span className="quiet" role="status">
        {saving.step === 'kept' && word('offline.kept', { count: saving.count })}
        {saving.step === 'failed' && word('offline.failed')}
      </span>
    </>
  )
}
