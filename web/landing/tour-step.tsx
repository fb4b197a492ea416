import { addressOf } from './addresses.ts'
import type { Step } from './steps.ts'
import { useWords } from './words/words.ts'

interface TourStepProps {
  readonly step: Step
  readonly number: number
  readonly isDone: boolean
  /** the first step that is not done */
  readonly isNext: boolean
  readonly onMark: (isDone: boolean) => void
}

/** One step: its instructions, its link and its checkbox. */
export function TourStep({ step, number, isDone, isNext, onMark }: TourStepProps) {
  const words = useWords()
  const { word } = words
  const title = word(`step.${step.name}`)
  const href = hrefOf(step)
  return (
    <li className="card" data-done={isDone} aria-current={isNext ? 'step' : undefined}>
      <h3>
        <span className="letter" aria-hidden="true">
          {words.number(number)}
        </span>{' '}
        {title}
      </h3>
      <p>{word(`step.${step.name}-about`)}</p>
      <div className="row">
        {href === undefined ? <span className="quiet">{word('rest-elsewhere')}</span> : <a href={href}>{word(`step.${step.name}-go`)}</a>}
        <label>
          <input type="checkbox" checked={isDone} onChange={(event) => onMark(event.target.checked)} />
          <span>
            {word('tour.done')}
            <span className="unseen">: {title}</span>
          </span>
        </label>
      </div>
    </li>
  )
}

function hrefOf(step: Step): string | undefined {
  if ('operation' in step) return `/query?${new URLSearchParams({ query: step.operation })}`
  const address = addressOf(step.at)
  return address && `${address}${step.path}`
}
