import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import type { PlacedText } from '../../shared/content/place/content-view.ts'
import { saveBlob } from '../../shared/frame/page-document.ts'
import { SaveOfflineButton } from '../offline/save-offline-button.tsx'
import { usePlace } from '../place/use-place.ts'
import { readFile } from '../service/content-service.ts'
import { useWords } from '../words/words.ts'

type Step = { readonly step: 'none' | 'making' | 'failed' } | { readonly step: 'made'; readonly name: string }

/** Downloads of the text; they need the tenant's header, so they are fetched and then saved. */
export function Downloads({ node: { id, depth, slug, children_count: count } }: { node: PlacedText }) {
  const { word } = useWords()
  const { tenant } = usePlace()
  const [taking, setTaking] = useState<Step>({ step: 'none' })
  const take = async (kind: 'json' | 'pdf', wanted: string | undefined, name: string): Promise<void> => {
    setTaking({ step: 'making' })
    try {
      saveBlob(name, await readFile(tenant, kind, wanted))
      setTaking({ step: 'made', name })
    } catch {
      setTaking({ step: 'failed' })
    }
  }
  const isMaking = taking.step === 'making'
  return (
    <section className="panel take" aria-labelledby="take">
      <h2 id="take">{word('take')}</h2>
      <div className="row">
        {depth > 0 && (
          <Button isDisabled={isMaking} onPress={() => void take('pdf', id, `${slug}.pdf`)}>
            {word(count === 0 ? 'take.pdf' : 'take.pdf-inside')}
          </Button>
        )}
        <Button isDisabled={isMaking} onPress={() => void take('pdf', undefined, `${tenant || 'magazine'}.pdf`)}>
          {word('take.pdf-whole')}
        </Button>
        <Button isDisabled={isMaking} onPress={() => void take('json', id, `${slug}.json`)}>
          {word('take.json')}
        </Button>
        <SaveOfflineButton />
      </div>
      <p className="quiet" role="status">
        {taking.step === 'making' && word('take.making')}
        {taking.step === 'made' && word('take.made', { name: taking.name })}
        {taking.step === 'failed' && word('take.failed')}
      </p>
    </section>
  )
}
