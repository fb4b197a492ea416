import { useEffect, useRef } from 'react'
import { Redirect, useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { FaultBoundary } from '../../shared/frame/fault-boundary.tsx'
import { focusContent } from '../../shared/frame/page-document.ts'
import { PageHeader } from '../../shared/frame/page-header.tsx'
import { useFocusAfterRemoval } from '../../shared/frame/page-hooks.ts'
import { type Administrator, useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'
import { type Section, Sections } from './sections.tsx'
import { Views } from './views.tsx'

type Role = Administrator['roles'][number]

interface OwnedSection extends Section {
  /** roles that may open the section */
  readonly roles: readonly Role[]
  /** addresses of the section share one page, which keeps its state */
  readonly isOnePage?: true
}

const sections: readonly OwnedSection[] = [
  { path: '/', word: 'overview.title', roles: ['SUPER_ADMIN', 'GROUP_ADMIN', 'REVIEWER'] },
  { path: '/review', word: 'review.title', roles: ['SUPER_ADMIN', 'REVIEWER'] },
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
  const here = sections.find(({ path }) => place === path || (path !== '/' && place.startsWith(`${path}/`)))
  const view = here?.isOnePage ? here.path : place
  const seen = useRef(view)
  useEffect(() => {
    if (seen.current !== view) focusContent()
    seen.current = view
  }, [view])
  // an address of another user's view redirects to the home view
  if (here !== undefined && !open.includes(here)) return <Redirect to="/" />
  return (
    <>
      <PageHeader
        home="#/"
        who={
          <p className="who">
            {administrator.name ?? administrator.email} <Button onPress={() => void signOut()}>{word('session.sign-out')}</Button>
          </p>
        }
        below={<Sections sections={open} here={here} />}
      />
      <main id="content" className="wide" tabIndex={-1}>
        <FaultBoundary key={view}>
          <Views />
        </FaultBoundary>
      </main>
    </>
  )
}
