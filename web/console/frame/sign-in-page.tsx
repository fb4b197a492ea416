import { PageHeader } from '../../shared/frame/page-header.tsx'
import { useFocusAfterRemoval, useTitle } from '../../shared/frame/page-hooks.ts'
import { useSession } from '../../shared/session/session.tsx'
import { SignIn } from '../sign-in/sign-in.tsx'
import { useWords } from '../words/words.ts'

/** The page for signed-out users. */
export function SignInPage() {
  const { word } = useWords()
  const { isOpening } = useSession()
  useTitle(word('sign-in.title'))
  useFocusAfterRemoval()
  return (
    <>
      <PageHeader />
      <main id="content" className="wide narrow" tabIndex={-1}>
        <h1>{word('sign-in.title')}</h1>
        <p className="lede">{word('sign-in.who')}</p>
        {isOpening ? <p role="status">{word('loading')}</p> : <SignIn />}
      </main>
    </>
  )
}
