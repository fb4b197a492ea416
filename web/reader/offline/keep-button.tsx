import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { usePlace } from '../place/use-place.ts'
import { readWhole } from '../service/content-service.ts'
import { useWords } from '../words/words.ts'
import { useKeeper } from './keeper.ts'

type Step = { readonly step: 'none' | 'reading' | 'failed' } | { readonly step: 'kept'; readonly count: number }

/** Reads the whole magazine, so that the service worker caches it. Hidden where browsers have no cache. */
export function KeepButton() {
  const { word } = useWords()
  const { tenant } = usePlace()
  const { isKeeping } = useKeeper()
  const [keeping, setKeeping] = useState<Step>({ step: 'none' })
  if (!isKeeping) return null
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
      <Button isPending={keeping.step === 'reading'} onPress={() => void keepAll()}>
        {word('offline.keep')}
      </Button>
      <span className="quiet" role="status">
        {keeping.step === 'kept' && word('offline.kept', { count: keeping.count })}
        {keeping.step === 'failed' && word('offline.failed')}
      </span>
    </>
  )
}
