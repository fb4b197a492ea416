/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { Dialog } from '../frame/dialog.tsx'
import { useWords } from '../words/words.tsx'
import { nameOf } from './documents.ts'
import { forgetRuns, type PastRun, pastRuns } from './past.ts'

interface PastRunsProps {
  readonly onOpen: (run: PastRun) => void
  readonly onClose: () => void
}

/** The operations run in this browser, to be opened again. */
export function PastRuns({ onOpen, onClose }: PastRunsProps) {
  const { word, date } = useWords()
  const [runs, setRuns] = useState(pastRuns)
  const forget = (): void => {
    forgetRuns()
    setRuns([])
  }
  return (
    <Dialog title={word('past')} onClose={onClose}>
      <p>{word(runs.length === 0 ? 'past.none' : 'past.kept')}</p>
      {runs.length > 0 && (
        <>
          <ol class="things runs">
            {runs.map((run) => (
              <li key={run.at}>
                <button type="button" class="link" onClick={() => onOpen(run)}>
                  <bdi>{nameOf(run) ?? word('document.unnamed')}</bdi>
                </button>{' '}
                <span class="quiet">{date(run.at)}</span>
                <code dir="ltr">{run.query.replace(/#.*$/gm, '').replaceAll(/\s+/g, ' ').trim().slice(0, 120)}</code>
              </li>
            ))}
          </ol>
          <button type="button" class="button danger" onClick={forget}>
            {word('past.forget')}
          </button>
        </>
      )}
    </Dialog>
  )
}
