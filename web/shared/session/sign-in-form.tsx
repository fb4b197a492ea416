import { InvalidCredentialsError } from '@civigraph/client'
import { errorOf } from '../../components/error-of.ts'
import { useSharedWords } from '../words/dictionary.ts'
import { AccountForm } from './account-form.tsx'
import { useSession } from './session.tsx'

/** Signs in with an email address and a password. @param email - of the account whose session has ended */
export function SignInForm({ email }: { email?: string | null }) {
  const { signIn } = useSession()
  const { word } = useSharedWords()
  const problemOf = (thrown: unknown): Error =>
    thrown instanceof InvalidCredentialsError ? new Error(word('sign-in.credentials')) : errorOf(thrown)
  return <AccountForm account={{ email }} signIn={signIn} problemOf={problemOf} />
}
