import { useEffect, useRef } from 'react'
import { useWords } from '../words/words.ts'
import type { Progress } from './use-submission.ts'

const steps = ['sending', 'queued', 'processing', 'finished'] as const

/** The steps of a verification: the current one, and those before it. */
export function ProgressPanel({ progress }: { progress: Progress }) {
  const { word } = useWords()
  const now = steps.indexOf(progress.step === 'none' ? 'sending' : progress.step)
  const isUnderWay = progress.step !== 'none'
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isUnderWay) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isUnderWay])
  return (
    <section className={isUnderWay ? 'panel progress under-way' : 'panel progress'} aria-labelledby="progress" ref={place}>
      <h3 id="progress">{word(isUnderWay ? 'progress.yours' : 'progress.title')}</h3>
      <ol className="steps">
        {steps.map((step, index) => (
          <li
            key={step}
            data-step={!isUnderWay || index > now ? undefined : index < now ? 'done' : 'now'}
            aria-current={isUnderWay && index === now ? 'step' : undefined}
          >
            {word(`step.${step}`)}
          </li>
        ))}
      </ol>
      <p role="status">
        <ProgressText progress={progress} />
      </p>
    </section>
  )
}

function ProgressText({ progress }: { progress: Progress }) {
  const { word } = useWords()
  if (progress.step === 'sending') return word('said.sending')
  if (!('accepted' in progress)) return null
  const { step, isLost, accepted } = progress
  if (isLost) return word('said.lost')
  if (step === 'processing') return word('said.processing')
  const { queue_position: place, estimated_wait_seconds: seconds } = accepted
  return (
    <>
      {word('said.queued', { count: place })} {seconds > 0 && word('said.wait', { count: seconds })}
    </>
  )
}
