import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SignInForm } from '../shared/session/account-form.tsx'
import { useSession } from '../shared/session/session.tsx'
import { useWords } from './words/words.ts'

/** The signed-in user, or a button to sign in, which only editors need. */
export function UserStatus() {
  const { word } = useWords()
  const { signedIn, signOut, isOpening } = useSession()
  const [isSigningIn, setSigningIn] = useState(false)
  if (isOpening) return null
  if (signedIn !== undefined) {
    const { name, email } = signedIn.administrator
    return (
      <p className="who">
        {name ?? email} <Button onPress={() => void signOut().then(() => setSigningIn(false))}>{word('session.sign-out')}</Button>
      </p>
    )
  }
  return (
    <>
      <Button onPress={() => setSigningIn(true)}>{word('edit.sign-in')}</Button>
      <Dialog title={word('edit.sign-in')} isOpen={isSigningIn} onClose={() => setSigningIn(false)}>
        <SignInForm />
        <p>
          <Button onPress={() => setSigningIn(false)}>{word('cancel')}</Button>
        </p>
      </Dialog>
    </>
  )
}
