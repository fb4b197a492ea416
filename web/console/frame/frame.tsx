import { Link, Redirect, Route, Switch, useLocation, useRoute } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Band } from '../../shared/frame/band.tsx'
import { FaultBoundary } from '../../shared/frame/fault-boundary.tsx'
import { type Administrator, useSession } from '../../shared/session/session.tsx'
import { AccountsPage } from '../access/accounts-page.tsx'
import { ServiceKeysPage } from '../access/service-keys-page.tsx'
import { AuditPage } from '../audit/audit-page.tsx'
import { CitizenPage } from '../citizens/citizen-page.tsx'
import { CitizensPage } from '../citizens/citizens-page.tsx'
import { ContentPage } from '../content/content-page.tsx'
import { DelegationsPage } from '../delegations/delegations-page.tsx'
import { ImportPage } from '../delegations/import-page.tsx'
import { DeadLettersPage } from '../expressions/dead-letters-page.tsx'
import { ExpressionsPage } from '../expressions/expressions-page.tsx'
import { OverviewPage } from '../overview/overview-page.tsx'
import { ReviewCasePage } from '../review/review-case-page.tsx'
import { ReviewQueuePage } from '../review/review-queue-page.tsx'
import { CallbacksPage } from '../verification/callbacks-page.tsx'
import { VerificationPage } from '../verification/verification-page.tsx'
import { VerificationsPage } from '../verification/verifications-page.tsx'
import { useWords, type Word } from '../words/words.ts'

type Role = Administrator['roles'][number]

interface Section {
  readonly path: string
  readonly word: Word
  /** who has something there */
  readonly roles: readonly Role[]
  /** all its addresses are one page, which keeps what is open on it */
  readonly isOnePage?: true
}

const sections: readonly Section[] = [
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

/** What stands around every view: where one is, where one may go, who one is. */
export function Frame({ administrator }: { administrator: Administrator }) {
  const { word } = useWords()
  const { signOut } = useSession()
  const [place] = useLocation()
  const open = sections.filter(({ roles }) => roles.some((role) => administrator.roles.includes(role)))
  const here = sections.find(({ path }) => path !== '/' && (place === path || place.startsWith(`${path}/`)))
  // an address of somebody else's leads to what is theirs
  if (here !== undefined && !open.includes(here)) return <Redirect to="/" />
  return (
    <>
      <Band
        home="#/"
        who={
          <p className="who">
            {administrator.name ?? administrator.email} <Button onPress={() => void signOut()}>{word('session.sign-out')}</Button>
          </p>
        }
        below={
          <nav className="wide sections" aria-label={word('sections')}>
            <ul>
              {open.map((section) => (
                <SectionLink key={section.path} {...section} />
              ))}
            </ul>
          </nav>
        }
      />
      <main id="content" className="wide" tabIndex={-1}>
        <FaultBoundary key={here?.isOnePage ? here.path : place}>
          <Switch>
            <Route path="/" component={OverviewPage} />
            <Route path="/review" component={ReviewQueuePage} />
            <Route path="/review/:jobId">{({ jobId }) => <ReviewCasePage jobId={plainText(jobId)} />}</Route>
            <Route path="/verifications" component={VerificationsPage} />
            <Route path="/verifications/:jobId">{({ jobId }) => <VerificationPage jobId={plainText(jobId)} />}</Route>
            <Route path="/callbacks" component={CallbacksPage} />
            <Route path="/citizens" component={CitizensPage} />
            <Route path="/citizens/:code">{({ code }) => <CitizenPage code={plainText(code)} />}</Route>
            <Route path="/expressions/dead-letters" component={DeadLettersPage} />
            <Route path="/expressions" component={ExpressionsPage} />
            <Route path="/delegations/import" component={ImportPage} />
            <Route path="/delegations" component={DelegationsPage} />
            <Route path="/content/:tenant?/:id?">{({ tenant, id }) => <ContentPage tenant={tenant} id={id} />}</Route>
            <Route path="/accounts" component={AccountsPage} />
            <Route path="/keys" component={ServiceKeysPage} />
            <Route path="/audit" component={AuditPage} />
            <Route>
              <Redirect to="/" />
            </Route>
          </Switch>
        </FaultBoundary>
      </main>
    </>
  )
}

/** A part of the address as text; as it is where somebody has cut it in the middle of a character. */
function plainText(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function SectionLink({ path, word: key }: Section) {
  const { word } = useWords()
  const [isHere] = useRoute(path === '/' ? '/' : `${path}/*?`)
  return (
    <li>
      <Link href={path} aria-current={isHere ? 'page' : undefined}>
        {word(key)}
      </Link>
    </li>
  )
}
