import {
  HealthDocument,
  type HealthQuery,
  PipelineDocument,
  ReviewMetricsDocument,
  VerificationQueueDocument,
} from '@civigraph/client/documents'
import { useState } from 'react'
import { type AnyVariables, type DocumentInput, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge, Metric } from '../../components/status.tsx'
import { useRepeated, useTitle } from '../../shared/frame/page-hooks.ts'
import { useSession } from '../../shared/session/session.tsx'
import { OwnPassword } from '../access/own-password.tsx'
import { useWords } from '../words/words.ts'

const refreshMs = 5000

/** The state of the platform: every component with its dependencies, and the queues. */
export function OverviewPage() {
  const { word, named, list } = useWords()
  const { signedIn } = useSession()
  const roles = signedIn?.administrator.roles ?? []
  const [isChanging, setChanging] = useState(false)
  useTitle(word('overview.title'))
  return (
    <>
      <h1>{word('overview.title')}</h1>
      <Queues isSuperAdmin={roles.includes('SUPER_ADMIN')} reviews={roles.includes('SUPER_ADMIN') || roles.includes('REVIEWER')} />
      <Components />
      <section aria-labelledby="own">
        <h2 id="own">{word('overview.own')}</h2>
        <p>
          <bdi>{signedIn?.administrator.email}</bdi>, {list(roles.map((role) => named('role', role)))}
        </p>
        <Button onPress={() => setChanging(true)}>{word('overview.password')}</Button>
        {isChanging && <OwnPassword onClose={() => setChanging(false)} />}
      </section>
    </>
  )
}

/** Repeats the query while the page is visible. */
function useNow<Data, Variables extends AnyVariables>(query: DocumentInput<Data, Variables>, variables: Variables, pause = false) {
  const [answer, reload] = useQuery<Data, Variables>({ query, variables, pause } as Parameters<typeof useQuery<Data, Variables>>[0])
  useRepeated(refreshMs, () => reload({ requestPolicy: 'network-only' }), !pause)
  return answer
}

function Queues({ isSuperAdmin, reviews }: { isSuperAdmin: boolean; reviews: boolean }) {
  const { word, number, percent, duration } = useWords()
  const [{ data: queue }, { data: pipeline }, { data: review }] = [
    useNow(VerificationQueueDocument, {}),
    useNow(PipelineDocument, {}, !isSuperAdmin),
    useNow(ReviewMetricsDocument, { days: 30 }, !reviews),
  ]
  const { verificationQueue } = queue ?? {}
  const { reviewMetrics } = review ?? {}
  const { pipelineMetrics } = pipeline ?? {}
  return (
    <section aria-labelledby="queues">
      <h2 id="queues">{word('overview.queues')}</h2>
      <dl className="metrics">
        {verificationQueue != null && (
          <>
            <Metric term={word('overview.jobs-waiting')} value={number(verificationQueue.depth)} />
            <Metric term={word('overview.jobs-processing')} value={number(verificationQueue.processing)} />
            <Metric
              term={word('overview.workers')}
              value={number(verificationQueue.workersActive)}
              isBad={verificationQueue.workersActive === 0}
            />
          </>
        )}
        {reviewMetrics != null && (
          <>
            <Metric
              term={word('overview.reviews-waiting')}
              value={number(reviewMetrics.waiting)}
              {...(reviewMetrics.waiting > 0 && { note: word('overview.oldest', { duration: duration(reviewMetrics.oldestSeconds) }) })}
              href="#/review"
            />
            {reviewMetrics.compared > 0 && (
              <Metric
                term={word('overview.agreement')}
                value={percent(reviewMetrics.agreed / reviewMetrics.compared)}
                note={word('overview.compared', { count: reviewMetrics.compared })}
              />
            )}
          </>
        )}
        {pipelineMetrics != null && (
          <>
            <Metric term={word('overview.expressions')} value={number(pipelineMetrics.expressions)} href="#/expressions" />
            <Metric
              term={word('overview.messages')}
              value={number(pipelineMetrics.queueMessages)}
              {...(pipelineMetrics.queueMessages > 0 && {
                note: word('overview.oldest', { duration: duration(pipelineMetrics.queueOldestSeconds) }),
              })}
            />
            <Metric
              term={word('overview.dead')}
              value={number(pipelineMetrics.deadLetters + pipelineMetrics.deadMessages)}
              isBad={pipelineMetrics.deadLetters + pipelineMetrics.deadMessages > 0}
              {...(pipelineMetrics.deadLetters + pipelineMetrics.deadMessages > 0 && { href: '#/expressions/dead-letters' })}
            />
          </>
        )}
      </dl>
    </section>
  )
}

type Health = NonNullable<HealthQuery['verification']>
const components = ['verification', 'exploration', 'classification', 'administration', 'content'] as const

function Components() {
  const { word } = useWords()
  const { data, error, fetching } = useNow(HealthDocument, {})
  return (
    <section aria-labelledby="components">
      <h2 id="components">{word('overview.components')}</h2>
      <Problem error={error} />
      {fetching && data === undefined && <p role="status">{word('loading')}</p>}
      <div className="cards">
        {data !== undefined && components.map((name) => <Component key={name} name={name} health={data[name]} />)}
      </div>
    </section>
  )
}

function Component({ name, health }: { name: (typeof components)[number]; health: Health | null | undefined }) {
  const { word, named, number, duration } = useWords()
  return (
    <article className="card" aria-labelledby={`component-${name}`}>
      <h3 id={`component-${name}`}>
        {word(`component.${name}`)} <Badge kind={kindOf(health?.status)}>{named('health', health?.status ?? 'UNREACHABLE')}</Badge>
      </h3>
      {health != null && (
        <>
          <table className="findings">
            <caption className="unseen">{word('overview.engines')}</caption>
            <tbody>
              {health.checks.map(({ name: check, engine, status, latencyMs, error }) => (
                <tr key={check}>
                  <th scope="row">{named('check', check).replaceAll('_', ' ')}</th>
                  <td>{engine}</td>
                  <td>
                    {status === 'OK' ? (
                      <bdi className="quiet" dir="ltr">
                        {latencyMs == null ? '' : `${number(Math.round(latencyMs))} ms`}
                      </bdi>
                    ) : (
                      <Badge kind={kindOf(status)}>{error ?? named('health', status)}</Badge>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="quiet">{word('overview.since', { version: health.version, duration: duration(health.uptimeSeconds) })}</p>
        </>
      )}
    </article>
  )
}

const kindOf = (status: string | undefined): 'good' | 'warn' | 'bad' => (status === 'OK' ? 'good' : status === 'DEGRADED' ? 'warn' : 'bad')
