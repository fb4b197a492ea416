import { VerificationQueueDocument, type VerificationQueueQuery } from '@civigraph/client/documents'
import { useEffect, useState } from 'react'
import { graphClient } from '../../shared/graph/graph-client.ts'
import { useWords } from '../words/words.ts'

type Queue = NonNullable<VerificationQueueQuery['verificationQueue']>
const figures = ['depth', 'processing', 'ready', 'workersActive'] as const
const everyMs = 4000

/**
 * The queue, read at an interval while the page is visible.
 * @param turn - the queue is read again when it changes, so that it includes the job of this page
 */
export function QueueFigures({ turn }: { turn: string }) {
  const { word, number } = useWords()
  const queue = useQueue(turn)
  return (
    <section aria-labelledby="queue">
      <h2 id="queue">{word('queue')}</h2>
      <dl className="figures">
        {figures.map((name) => (
          <div key={name}>
            <dt>{word(`queue.${name}`)}</dt>
            <dd>{typeof queue === 'object' ? number(queue[name]) : '–'}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet" role="status">
        {queue === 'unknown' && word('queue.unknown')}
        {typeof queue === 'object' && queue.workersActive === 0 && word('queue.no-worker')}
      </p>
    </section>
  )
}

/** undefined: loading */
function useQueue(turn: string): Queue | 'unknown' | undefined {
  const [queue, setQueue] = useState<Queue | 'unknown'>()
  useEffect(() => {
    const client = graphClient()
    let isCancelled = false
    let timer: ReturnType<typeof setTimeout>
    const ask = async (): Promise<void> => {
      if (!document.hidden) {
        const { data } = await client.query(VerificationQueueDocument, {}, { requestPolicy: 'network-only' }).toPromise()
        if (isCancelled) return
        setQueue(data?.verificationQueue ?? 'unknown')
      }
      timer = setTimeout(() => void ask(), everyMs)
    }
    void ask()
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [turn])
  return queue
}
