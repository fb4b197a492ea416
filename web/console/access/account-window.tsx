import { useState } from 'react'
import { Window } from '../../components/window.tsx'
import { useWords } from '../words/words.ts'
import type { Account } from './account.ts'
import { AccountAccess } from './account-access.tsx'
import { AccountForm } from './account-form.tsx'
import { ToldPassword } from './told-password.tsx'

export interface AccountWindowProps {
  /** undefined: a new account */
  readonly account: Account | undefined
  /** called after a change */
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** An account with its fields, roles and groups, and below them its password and status. */
export function AccountWindow({ account, onChanged, onClose }: AccountWindowProps) {
  const { word } = useWords()
  const [password, setPassword] = useState<string>()
  const told = (made: string): void => {
    setPassword(made)
    onChanged()
  }
  const changed = (): void => {
    onChanged()
    onClose()
  }
  return (
    <Window title={account?.email ?? word('accounts.make')} isOpen onClose={password === undefined ? onClose : undefined}>
      {password !== undefined ? (
        <ToldPassword password={password} onRead={onClose} />
      ) : (
        <>
          <AccountForm account={account} onMade={told} onChanged={changed} onClose={onClose} />
          {account !== undefined && <AccountAccess account={account} onPassword={told} onChanged={changed} />}
        </>
      )}
    </Window>
  )
}
