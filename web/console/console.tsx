import { keys } from '@civigraph/client/graphcache'
import type { Client } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { Provider as GraphProvider } from 'urql'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { graphClient } from '../shared/graph/graph-client.ts'
import { SessionProvider, useSession } from '../shared/session/session.tsx'
import { SignInAgain } from '../shared/session/sign-in-again.tsx'
import { Frame } from './frame/frame.tsx'
import { IdleLock } from './frame/idle-lock.tsx'
import { SignInPage } from './frame/sign-in-page.tsx'
import { SignIn } from './sign-in/sign-in.tsx'

/** The whole page: the views that the signed-in user may open, or the sign-in page. */
export function Console() {
  return (
    <SessionProvider clientFor={cachedGraphClient}>
      <Router hook={useHashLocation}>
        <ConsoleSections />
      </Router>
    </SessionProvider>
  )
}

function ConsoleSections() {
  const { signedIn } = useSession()
  if (signedIn === undefined) return <SignInPage />
  return (
    // remounts the page for another user
    <GraphProvider key={signedIn.administrator.id} value={signedIn.client}>
      <Frame administrator={signedIn.administrator} />
      <IdleLock />
      <SignInAgain>
        <SignIn isBeside email={signedIn.administrator.email ?? null} />
      </SignInAgain>
    </GraphProvider>
  )
}

/**
 * A client with a cache by type and id, so that all views of a page show the same data.
 * @param send - `fetch` that adds credentials
 */
const cachedGraphClient = (send: typeof fetch): Client => graphClient(send, [cacheExchange({ keys })])
