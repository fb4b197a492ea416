import { Button } from '../../components/button.tsx'
import { Window } from '../../components/window.tsx'
import { useWords } from '../words/words.tsx'
import { useSession } from './session.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** The session has ended in the middle of something: the page stays as it is below, with all that was typed. */
export function SignInAgain() {
  const { isOver, signedIn, signOut } = useSession()
  const { word } = useWords()
  return (
    <Window title={word('session.over')} isOpen={isOver}>
      <p>{word('session.nothing-lost')}</p>
      <SignInForm email={signedIn?.administrator.email ?? null} />
      <Button onPress={() => void signOut()}>{word('session.leave')}</Button>
    </Window>
  )
}
