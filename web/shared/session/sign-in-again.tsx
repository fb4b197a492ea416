import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Window } from '../../components/window.tsx'
import { useSharedWords } from '../words/dictionary.ts'
import { useSession } from './session.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** The session has ended in the middle of something: the page stays as it is below, with all that was typed. @param children - how to sign in (default: the form) */
export function SignInAgain({ children }: { children?: ReactNode }) {
  const { isOver, signedIn, signOut } = useSession()
  const { word } = useSharedWords()
  return (
    <Window title={word('session.over')} isOpen={isOver}>
      <p>{word('session.nothing-lost')}</p>
      {children ?? <SignInForm email={signedIn?.administrator.email ?? null} />}
      <Button onPress={() => void signOut()}>{word('session.sign-out')}</Button>
    </Window>
  )
}
