import { useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import type { Submission } from '../progress/verification-service.ts'
import { useWords } from '../words/words.ts'
import type { SubmissionState } from './use-submission.ts'

const kinds = ['genuine', 'impostor', 'expired', 'unreadable'] as const
type Kind = (typeof kinds)[number]
const patienceMs = 30_000

/** Sample citizens for development, each submitted with one click; hidden where the platform gives no development key. */
export function SampleCitizens({ submission: { texts, setText, send, progress } }: { submission: SubmissionState }) {
  const { word } = useWords()
  const [key, setKey] = useState<string>()
  const [drawing, setDrawing] = useState<Kind>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    ask<{ key?: string }>('/docs/development.json').then(
      (credentials) => setKey(credentials.key),
      () => undefined,
    )
  }, [])
  useEffect(() => {
    if (key !== undefined && texts.key === '') setText('key', key)
    // once: later input is the user's
  }, [key])
  if (key === undefined) return null
  const draw = async (kind: Kind): Promise<void> => {
    setDrawing(kind)
    setFailed(false)
    try {
      await send(await ask<Submission>(`/pages/verification/drawn/${kind}.json`))
    } catch {
      setFailed(true)
    } finally {
      setDrawing(undefined)
    }
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, which is of a form
    <div className="panel" role="group" aria-labelledby="drawn">
      <h3 id="drawn">{word('drawn.title')}</h3>
      <p>{word('drawn.about')}</p>
      <ul className="drawn">
        {kinds.map((kind) => (
          <li key={kind}>
            <Button
              look="plain"
              isPending={drawing === kind}
              isDisabled={(drawing !== undefined && drawing !== kind) || progress.step !== 'none'}
              onPress={() => void draw(kind)}
            >
              {word(`drawn.${kind}`)}
            </Button>
            <span className="quiet">{word(`drawn.${kind}-about`)}</span>
          </li>
        ))}
      </ul>
      <p role="status">
        {drawing !== undefined && progress.step === 'none' && word('drawn.drawing')}
        {hasFailed && word('drawn.failed')}
      </p>
    </div>
  )
}

async function ask<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path, { signal: AbortSignal.timeout(patienceMs) })
  if (!response.ok) throw new Error(`${response.status}`)
  return response.json()
}
