import { Provider as GraphProvider } from 'urql'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { cachedGraphClient } from '../shared/graph/cached-graph-client.ts'
import { SessionProvider, useSession } from '../shared/session/session.tsx'
import { SignInAgain } from '../shared/session/sign-in-again.tsx'
import { Frame } from './frame/frame.tsx'
import { SignInPage } from './frame/sign-in-page.tsx'
import { SignIn } from './sign-in/sign-in.tsx'

/** The whole page: the views that the signed-in user may open, or the sign-in page. */
export function Console() {
  return (
    <SessionProvider clientFor={cachedGraphClient}>
      <Router hook={useHashLocation}>
        <Signed />
      </Router>
    </SessionProvider>
  )
}

function Signed() {
  const { signedIn } = useSession()
  if (signedIn === undefined) return <SignInPage />
  return (
    // remounts the page for another user
    <GraphProvider key={signedIn.administrator.id} value={signedIn.client}>
      <Frame administrator={signedIn.administrator} />
      <SignInAgain>
        <SignIn isBeside email={signedIn.administrator.email ?? null} />
      </SignInAgain>
    </GraphProvider>
  )
}
