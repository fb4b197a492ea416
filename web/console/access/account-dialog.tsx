import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { AccountAccess } from './account-access.tsx'
import { type Account, AccountForm, useAccountWords } from './account-form.tsx'
import { NewPassword } from './new-password.tsx'

export interface AccountDialogProps {
  /** undefined: a new account */
  readonly account: Account | undefined
  /** called after a change */
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** An account with its fields, roles and groups, and below them its password and status. */
export function AccountDialog({ account, onChanged, onClose }: AccountDialogProps) {
  const { word: accountWord } = useAccountWords()
  const [password, setPassword] = useState<string>()
  const showPassword = (made: string): void => {
    setPassword(made)
    onChanged()
  }
  const changed = (): void => {
    onChanged()
    onClose()
  }
  return (
    <Dialog title={account?.email ?? accountWord('accounts.make')} isOpen onClose={password === undefined ? onClose : undefined}>
      {password !== undefined ? (
        <NewPassword password={password} onRead={onClose} />
      ) : (
        <>
          <AccountForm account={account} onCreated={showPassword} onChanged={changed} onClose={onClose} />
          {account !== undefined && <AccountAccess account={account} onPassword={showPassword} onChanged={changed} />}
        </>
      )}
    </Dialog>
  )
}
