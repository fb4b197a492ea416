import { Button } from '../../components/button.tsx'
import { AccountForm } from '../../shared/session/account-form.tsx'
import type { Account } from '../interface/described.ts'
import { useWords } from '../words/words.ts'
import { useAccess } from './access.tsx'
import { LoginRefused } from './login.ts'
import { useFocusAfterPress } from './use-focus-after-press.ts'

/** Signs in with an account for an access token, stored in this tab. @param account - initial values of the form */
export function AccountAccess({ account }: { account: Account | undefined }) {
  const { word } = useWords()
  const { email, signIn, signOut, setOpen } = useAccess()
  const { place, handOver } = useFocusAfterPress(email)
  const leave = (): void => {
    handOver()
    signOut()
  }
  const enter = async (...given: Parameters<typeof signIn>): Promise<void> => {
    await signIn(...given)
    setOpen(false)
  }
  const problemOf = (thrown: unknown): Error =>
    new Error(thrown instanceof LoginRefused ? thrown.message || word('access.no-account') : word('access.unanswered'))
  return (
    <div ref={place}>
      {email === undefined ? (
        <AccountForm {...(account && { account })} signIn={enter} problemOf={problemOf}>
          <p className="quiet">{word('access.account')}</p>
        </AccountForm>
      ) : (
        <p className="row">
          <bdi>{email}</bdi>
          <Button onPress={leave}>{word('session.sign-out')}</Button>
        </p>
      )}
    </div>
  )
}
