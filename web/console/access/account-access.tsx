import { ResetAccountPasswordDocument, UpdateAccountDocument } from '@civigraph/client/documents'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { type Account, useAccountWords } from './account-form.tsx'

export interface AccountAccessProps {
  readonly account: Account
  readonly onPassword: (password: string) => void
  readonly onChanged: () => void
}

/** Changes the access of an account: a new password, closing, reopening. */
export function AccountAccess({ account: { id, disabledAt }, onPassword, onChanged }: AccountAccessProps) {
  const { word: accountWord } = useAccountWords()
  const [resetting, reset] = useMutation(ResetAccountPasswordDocument)
  const [changing, change] = useMutation(UpdateAccountDocument)
  const isOpen = disabledAt === null
  const give = async (): Promise<void> => {
    const { data } = await reset({ input: { id } })
    if (data?.resetAccountPassword != null) onPassword(data.resetAccountPassword.password)
  }
  const toggle = async (): Promise<void> => {
    const { data } = await change({ input: { id, disabled: isOpen } })
    if (data?.updateAccount != null) onChanged()
  }
  return (
    <section className="column">
      <h3>{accountWord('accounts.access')}</h3>
      <p className="quiet">{accountWord(isOpen ? 'accounts.access-help' : 'accounts.closed-help')}</p>
      <Problem error={resetting.error ?? changing.error} />
      <div className="row">
        <Button isPending={resetting.fetching} onPress={() => void give()}>
          {accountWord('accounts.new-password')}
        </Button>
        <Button look={isOpen ? 'danger' : 'plain'} isPending={changing.fetching} onPress={() => void toggle()}>
          {accountWord(isOpen ? 'accounts.close' : 'accounts.reopen')}
        </Button>
      </div>
    </section>
  )
}
