import { I18nProvider } from 'react-aria-components'
import { Provider as GraphProvider } from 'urql'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { Frame } from './frame/frame.tsx'
import { SessionProvider, useSession } from './session/session.tsx'
import { SignIn } from './session/sign-in.tsx'
import { SignInAgain } from './session/sign-in-again.tsx'
import { useWords, WordsProvider } from './words/words.tsx'

/** The whole page: whoever has signed in sees what is theirs. */
export function Console() {
  return (
    <WordsProvider>
      <SessionProvider>
        <Speaking />
      </SessionProvider>
    </WordsProvider>
  )
}

function Speaking() {
  const { language } = useWords()
  const { signedIn } = useSession()
  return (
    <I18nProvider locale={language}>
      <Router hook={useHashLocation}>
        {signedIn === undefined ? (
          <SignIn />
        ) : (
          // another person's page is another page
          <GraphProvider key={signedIn.administrator.id} value={signedIn.client}>
            <Frame administrator={signedIn.administrator} />
            <SignInAgain />
          </GraphProvider>
        )}
      </Router>
    </I18nProvider>
  )
}
