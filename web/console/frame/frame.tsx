import { ReviewMetricsDocument, WaitingDocument } from '@civigraph/client/documents'
import { useEffect, useRef, useState } from 'react'
import { useQuery } from 'urql'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { FaultBoundary } from '../../shared/frame/fault-boundary.tsx'
import { lazyComponent } from '../../shared/frame/lazy-component.tsx'
import { focusContent } from '../../shared/frame/page-document.ts'
import { PageHeader } from '../../shared/frame/page-header.tsx'
import { useFocusAfterRemoval, useRepeated, useTitle } from '../../shared/frame/page-hooks.ts'
import { type Administrator, useSession } from '../../shared/session/session.tsx'
import { endsSoon } from '../access/ending-keys.ts'
import { useWords } from '../words/words.ts'
import { SearchBox } from './search-box.tsx'
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

const searcher: Role = 'SUPER_ADMIN'
/** opened by the box in the header, without an entry in the navigation */
const searchPage: OwnedSection = { path: '/search', word: 'search.title', roles: [searcher], isOnePage: true }

const sections: readonly OwnedSection[] = [
  { path: '/', word: 'overview.title', roles: ['SUPER_ADMIN', 'GROUP_ADMIN', 'REVIEWER'] },
  { path: '/review', word: 'review.title', roles: ['SUPER_ADMIN', 'REVIEWER'], isOnePage: true },
  { path: '/verifications', word: 'verifications.title', roles: ['SUPER_ADMIN'] },
  { path: '/callbacks', word: 'callbacks.title', roles: ['SUPER_ADMIN'] },
  { path: '/citizens', word: 'citizens.title', roles: ['SUPER_ADMIN', 'GROUP_ADMIN'] },
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
  const isOwn = ({ roles }: OwnedSection): boolean => roles.some((role) => administrator.roles.includes(role))
  const open = sections.filter(isOwn)
  const waiting = useWaiting(administrator.roles)
  const maySearch = administrator.roles.includes(searcher)
  const here = [...sections, searchPage].find(({ path }) => place === path || (path !== '/' && place.startsWith(`${path}/`)))
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
          <>
            {maySearch && <SearchBox />}
            <p className="who">
              {administrator.name ?? administrator.email} <Button onPress={() => void signOut()}>{word('session.sign-out')}</Button>
            </p>
          </>
        }
        below={<Sections sections={open.map((each) => ({ ...each, waiting: waiting[each.path] }))} here={here} />}
      />
      <main id="content" className="wide" tabIndex={-1}>
        <FaultBoundary key={view}>{here === undefined || isOwn(here) ? <Views /> : <Forbidden section={word(here.word)} />}</FaultBoundary>
        {here !== undefined && isOwn(here) && <Help page={place} section={here.path} />}
      </main>
    </>
  )
}

const refreshMs = 60_000

/** What waits in the sections, by their path. */
function useWaiting(roles: readonly Role[]): Readonly<Record<string, Section['waiting']>> {
  const { word, duration } = useWords()
  const isSuperAdmin = roles.includes('SUPER_ADMIN')
  const mayReview = isSuperAdmin || roles.includes('REVIEWER')
  const [{ data: all }, reloadAll] = useQuery({ query: WaitingDocument, pause: !isSuperAdmin })
  const [{ data: reviews }, reloadReviews] = useQuery({
    query: ReviewMetricsDocument,
    variables: { days: 1 },
    pause: isSuperAdmin || !mayReview,
  })
  const reload = isSuperAdmin ? reloadAll : reloadReviews
  useRepeated(refreshMs, () => reload({ requestPolicy: 'network-only' }), mayReview)
  const metrics = all?.reviewMetrics ?? reviews?.reviewMetrics
  const isOverdue = metrics != null && metrics.oldestSeconds >= overdueSeconds
  const endingKeys = (all?.serviceKeys?.nodes ?? []).filter(endsSoon)
  return {
    ...(isOverdue && {
      '/review': {
        count: metrics.waiting,
        about: word('overview.oldest', { duration: duration(metrics.oldestSeconds) }),
        path: '/review/late',
      },
    }),
    '/callbacks': { count: all?.callbackDeliveries?.totalCount ?? 0, about: word('waiting.callbacks'), path: '/callbacks/failed' },
    '/expressions': { count: all?.moderationQueue?.totalCount ?? 0, about: word('waiting.moderation'), path: '/expressions/moderation' },
    '/keys': { count: endingKeys.length, about: word('waiting.keys'), path: '/keys/ending' },
  }
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

const HelpText = lazyComponent(async () => (await import('./help-text.tsx')).HelpText)

/** The help of a page, loaded when it is opened. */
function Help(props: { page: string; section: string }) {
  const { word } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="help" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{word('help.title')}</summary>
      {isOpen && <HelpText {...props} />}
    </details>
  )
}
