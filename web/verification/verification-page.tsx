import { useEffect } from 'react'
import { factsOf } from '../shared/frame/page-document.ts'
import { PageHeader } from '../shared/frame/page-header.tsx'
import { useTitle } from '../shared/frame/page-hooks.ts'
import type { VerificationFacts } from './facts.ts'
import { Operations } from './operations.tsx'
import { QueueFigures } from './progress/queue-figures.tsx'
import { ResultPage } from './result/result-page.tsx'
import { ProgressPanel } from './submission/progress-panel.tsx'
import { SampleCitizens } from './submission/sample-citizens.tsx'
import { SubmissionForm } from './submission/submission-form.tsx'
import { type SubmissionState, useSubmission } from './submission/use-submission.ts'
import { useWords } from './words/words.ts'

const { operations } = factsOf<VerificationFacts>()

/** The service, a form to try it, and the result. */
export function VerificationPage() {
  const { word } = useWords()
  const submission = useSubmission()
  const { progress, leaveResult } = submission
  const isFinished = progress.step === 'finished'
  useBackTo(isFinished, leaveResult)
  useTitle(isFinished ? word('result.title') : word('title'))
  return (
    <>
      <PageHeader
        links={{
          label: word('service'),
          items: [
            { href: '#try', text: word('try') },
            { href: '#endpoints', text: word('endpoints') },
            { href: '/docs', text: word('documentation') },
            { href: '/openapi.json', text: 'OpenAPI' },
            { href: '/health', text: word('health') },
          ],
        }}
      />
      <main className="wide" id="content" tabIndex={-1}>
        {progress.step === 'finished' ? (
          <ResultPage
            key={progress.result.job.id}
            result={progress.result}
            service={progress.service}
            onLeave={() => history.back()}
            onRestart={() => {
              submission.clear()
              history.back()
            }}
          />
        ) : (
          <TryPage submission={submission} />
        )}
      </main>
      <footer>
        <div className="wide">
          {word('footer')} <a href="/version">{word('version')}</a>
        </div>
      </footer>
    </>
  )
}

function TryPage({ submission }: { submission: SubmissionState }) {
  const { word } = useWords()
  return (
    <>
      <h1>{word('title')}</h1>
      <p className="lede">{word('lede')}</p>
      <p>{word('about')}</p>
      <QueueFigures turn={submission.progress.step} />
      <section aria-labelledby="try">
        <h2 id="try">{word('try')}</h2>
        <SampleCitizens submission={submission} />
        <div className="sides">
          <SubmissionForm submission={submission} />
          <ProgressPanel progress={submission.progress} />
        </div>
      </section>
      <Operations operations={operations} />
    </>
  )
}

/** A result has its own history entry: going back shows the form with its input. */
function useBackTo(isShown: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isShown) return
    history.pushState('result', '')
    scrollTo(0, 0)
    addEventListener('popstate', leave)
    return () => removeEventListener('popstate', leave)
  }, [isShown, leave])
}
