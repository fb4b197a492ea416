import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useSharedWords } from '../words/language.tsx'
import { SignInForm } from './account-form.tsx'
import { useSession } from './session.tsx'

/**
 * Asks for a new sign-in after the session expired, over the page, which keeps its state.
 * @param children - the sign-in (default: the form)
 */
export function SignInAgain({ children }: { children?: ReactNode }) {
  const { isOver, isLocked, signedIn, signOut } = useSession()
  const { word } = useSharedWords()
  return (
    <Dialog title={word(isLocked ? 'session.locked' : 'session.over')} isOpen={isOver}>
      <p>{word(isLocked ? 'session.away' : 'session.nothing-lost')}</p>
      {children ?? <SignInForm email={signedIn?.administrator.email ?? null} />}
      <Button onPress={() => void signOut()}>{word('session.sign-out')}</Button>
    </Dialog>
  )
}
