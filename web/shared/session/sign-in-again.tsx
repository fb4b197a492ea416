import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SignInForm } from './account-form.tsx'
import { useSession } from './session.tsx'
import { useSessionWords } from './words/words.ts'

/**
 * Asks for a new sign-in after the session expired, over the page, which keeps its state.
 * @param children - the sign-in (default: the form)
 */
export function SignInAgain({ children }: { children?: ReactNode }) {
  const { isExpired, isLocked, signedIn, signOut } = useSession()
  const { word } = useSessionWords()
  return (
    <Dialog title={word(isLocked ? 'session.locked' : 'session.over')} isOpen={isExpired}>
      <p>{word(isLocked ? 'session.away' : 'session.nothing-lost')}</p>
      {children ?? <SignInForm email={signedIn?.administrator.email ?? null} />}
      <Button onPress={() => void signOut()}>{word('session.sign-out')}</Button>
    </Dialog>
  )
}
