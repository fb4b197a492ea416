import { useWords } from '../words/words.ts'
import type { Live } from './use-live.ts'

/** Shows whether the page is up to date, and how many people view it. */
export function Liveness({ state, audience }: Live) {
  const { word } = useWords()
  return (
    <p className="liveness">
      <span className="state" id="connection" role="status" data-state={{ live: 'good', connecting: 'warn', offline: 'bad' }[state]}>
        {word(state)}
      </span>
      {audience !== undefined && state === 'live' && <span className="quiet">{word('audience', { count: audience })}</span>}
    </p>
  )
}
