import { ReviewMetricsDocument } from '@civigraph/client/documents'
import { useEffect, useRef } from 'react'
import { useQuery } from 'urql'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { FaultBoundary } from '../../shared/frame/fault-boundary.tsx'
import { focusContent } from '../../shared/frame/page-document.ts'
import { PageHeader } from '../../shared/frame/page-header.tsx'
import { useFocusAfterRemoval, useTitle } from '../../shared/frame/page-hooks.ts'
import { type Administrator, useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'
import { Help } from './help.tsx'
import { type Section, Sections } from './sections.tsx'
import { Views } from './views.tsx'

/** a case that waits longer is counted in the navigation */
const overdueSeconds = 86_400

type Role = Administrator['roles'][number]

interface OwnedSection extends Section {
  /** roles that may open the section */
  readonly roles: readonly Role[]
  /** addresses of the section share one page, which keeps its state */
  readonly isOnePage?: true
}

const sections: readonly OwnedSection[] = [
  { path: '/', word: 'overview.title', roles: ['SUPER_ADMIN', 'GROUP_ADMIN', 'REVIEWER'] },
  { path: '/review', word: 'review.title', roles: ['SUPER_ADMIN', 'REVIEWER'], isOnePage: true },
  { path: '/verifications', word: 'verifications.title', roles: ['SUPER_ADMIN'] },
  { path: '/callbacks', word: 'callbacks.title', roles: ['SUPER_ADMIN'] },
  { path: '/citizens', word: 'citizens.title', roles: ['SUPER_ADMIN'] },
  { path: '/expressions', word: 'expressions.title', roles: ['SUPER_ADMIN'] },
  { path: '/delegations', word: 'delegations.title', roles: ['SUPER_ADMIN', 'GROUP_ADMIN'] },
  { path: '/content', word: 'content.title', roles: ['SUPER_ADMIN', 'GROUP_ADMIN'], isOnePage: true },
  { path: '/accounts', word: 'accounts.title', roles: ['SUPER_ADMIN'] },
  { path: '/keys', word: 'keys.title', roles: ['SUPER_ADMIN'] },
  { path: '/audit', word: 'audit.title', roles: ['SUPER_ADMIN'] },
]

/** The frame around every view: navigation, the signed-in user and sign-out. */
export function Frame({ administrator }: { administrator: Administrator }) {
  const { word } = useWords()
  const { signOut } = useSession()
  const [place] = useLocation()
  useFocusAfterRemoval()
  const open = sections.filter(({ roles }) => roles.some((role) => administrator.roles.includes(role)))
  const reviewSection = open.find(({ path }) => path === '/review')
  const overdue = useOverdueReviews(reviewSection !== undefined)
  const here = sections.find(({ path }) => place === path || (path !== '/' && place.startsWith(`${path}/`)))
  const view = here?.isOnePage ? here.path : place
  const seen = useRef(view)
  useEffect(() => {
    if (seen.current !== view) focusContent()
    seen.current = view
  }, [view])
  return (
    <>
      <PageHeader
        home="#/"
        who={
          <p className="who">
            {administrator.name ?? administrator.email} <Button onPress={() => void signOut()}>{word('session.sign-out')}</Button>
          </p>
        }
        below={<Sections sections={open.map((each) => (each === reviewSection ? { ...each, waiting: overdue } : each))} here={here} />}
      />
      <main id="content" className="wide" tabIndex={-1}>
        <FaultBoundary key={view}>
          {here === undefined || open.includes(here) ? <Views /> : <Forbidden section={word(here.word)} />}
        </FaultBoundary>
        {here !== undefined && open.includes(here) && <Help section={here.path} />}
      </main>
    </>
  )
}

const refreshMs = 60_000

/** The cases that wait for a review, once the oldest has waited for a day. */
function useOverdueReviews(mayReview: boolean): Section['waiting'] {
  const { word, duration } = useWords()
  const [{ data }, again] = useQuery({ query: ReviewMetricsDocument, variables: { days: 1 }, pause: !mayReview })
  useEffect(() => {
    if (!mayReview) return
    const timer = setInterval(() => !document.hidden && again({ requestPolicy: 'network-only' }), refreshMs)
    return () => clearInterval(timer)
  }, [mayReview, again])
  const metrics = data?.reviewMetrics
  if (metrics == null || metrics.oldestSeconds < overdueSeconds) return undefined
  return { count: metrics.waiting, about: word('overview.oldest', { duration: duration(metrics.oldestSeconds) }) }
}

/** In place of a section that the roles of the user do not include. */
function Forbidden({ section }: { section: string }) {
  const { word } = useWords()
  useTitle(word('forbidden.title'))
  return (
    <>
      <h1>{word('forbidden.title')}</h1>
      <p>{word('forbidden.why', { section })}</p>
      <p>
        <a href="#/">{word('forbidden.back')}</a>
      </p>
    </>
  )
}
