/** @jsxImportSource preact */
import { useWords } from '../words/words.tsx'
import type { CredentialsState } from './use-credentials.ts'

interface WhoProps {
  readonly credentials: CredentialsState
  readonly onSignIn: () => void
}

/** In the page header: the current credentials, and sign-in or sign-out. */
export function UserStatus({ credentials: { current, isExpired, forget }, onSignIn }: WhoProps) {
  const { word } = useWords()
  const signedOut = isExpired ? word('problem.over') : ''
  return (
    <div class="who">
      <span role="status" dir="auto">
        {current === undefined ? signedOut : current.kind === 'key' ? word('sign-in.with-key') : current.email}
      </span>
      <button type="button" class="button" onClick={() => (current === undefined ? onSignIn() : void forget())}>
        {word(current === undefined ? 'session.sign-in' : 'session.sign-out')}
      </button>
    </div>
  )
}
