import { errorOf } from '../../components/error-of.ts'
import { AccountForm } from './account-form.tsx'
import { useSession } from './session.tsx'

/** E-mail address and password become a session; why not, in the platform's own sentence. @param email - whose session has ended */
export function SignInForm({ email }: { email?: string | null }) {
  const { signIn } = useSession()
  return <AccountForm account={{ email }} signIn={signIn} problemOf={errorOf} />
}
