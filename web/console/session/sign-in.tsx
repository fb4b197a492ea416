import { Languages } from '../frame/languages.tsx'
import { useTitle } from '../frame/title.ts'
import { useWords } from '../words/words.tsx'
import { useSession } from './session.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** What whoever has not signed in sees. */
export function SignIn() {
  const { word } = useWords()
  const { isOpening } = useSession()
  useTitle(word('session.title'))
  return (
    <>
      <header className="band">
        <div className="wide">
          <a className="wordmark" href="/">
            <img src="/pages/emblem.svg" alt="" width="36" height="36" />
            Civigraph
          </a>
          <Languages />
        </div>
      </header>
      <main id="content" className="wide narrow">
        <h1>{word('session.title')}</h1>
        <p className="lede">{word('session.who')}</p>
        {isOpening ? <p role="status">{word('loading')}</p> : <SignInForm />}
      </main>
    </>
  )
}
