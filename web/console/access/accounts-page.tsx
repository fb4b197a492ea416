import { type AccountFilterInput, AccountsDocument, type AccountsQuery, type AdministratorRole } from '@civigraph/client/documents'
import { useDeferredValue, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Field } from '../../components/field.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { useWords } from '../words/words.ts'
import { AccountDialog } from './account-dialog.tsx'
import { type Account, roles, useAccountWords } from './account-form.tsx'

const connectionOf = ({ accounts }: AccountsQuery) => accounts

/** Accounts of the embedded issuer: search, create, change, close and reopen. */
export function AccountsPage() {
  const { word, named, date, list } = useWords()
  const { word: accountWord } = useAccountWords()
  const [text, setText] = useState('')
  const [group, setGroup] = useState('')
  const [role, setRole] = useState('')
  /** account in the open dialog; `new` for a new one */
  const [open, setOpen] = useState<Account | 'new'>()
  const typed = useDeferredValue({ text: text.trim(), group: group.trim() })
  const filter: AccountFilterInput = {
    ...(typed.text !== '' && { text: typed.text }),
    ...(typed.group !== '' && { groupId: typed.group }),
    ...(role !== '' && { role: role as AdministratorRole }),
  }
  const pages = usePages(AccountsDocument, { first: 100, filter }, connectionOf)
  useTitle(word('accounts.title'))
  const columns = useMemo(
    () => [
      column<Account>('email', accountWord('accounts.email'), (account) => (
        <button type="button" className="link" onClick={() => setOpen(account)}>
          <bdi>{account.email}</bdi>
        </button>
      )),
      column<Account>('name', accountWord('accounts.name'), ({ givenName, familyName }) => (
        <bdi>{[givenName, familyName].filter(Boolean).join(' ')}</bdi>
      )),
      column<Account>('roles', accountWord('accounts.roles'), (account) => list(account.roles.map((each) => named('role', each)))),
      column<Account>('groups', accountWord('accounts.groups'), ({ groups }) => <bdi>{groups.map(({ id }) => id).join(', ')}</bdi>),
      column<Account>('since', accountWord('accounts.since'), ({ createdAt }) => date(createdAt)),
      column<Account>('state', accountWord('accounts.state'), ({ disabledAt }) =>
        disabledAt === null ? (
          <Badge kind="good">{accountWord('accounts.open')}</Badge>
        ) : (
          <Badge kind="plain">{accountWord('accounts.closed')}</Badge>
        ),
      ),
    ],
    [word, named, date, list],
  )
  const isElsewhere = !pages.isLoading && pages.problem === undefined && pages.total === undefined
  return (
    <>
      <h1>{word('accounts.title')}</h1>
      <p className="lede">{accountWord('accounts.lede')}</p>
      {isElsewhere ? (
        <p role="status">{accountWord('accounts.elsewhere')}</p>
      ) : (
        <>
          <p>
            <Button look="main" onPress={() => setOpen('new')}>
              {accountWord('accounts.make')}
            </Button>
          </p>
          <div className="filters">
            <Field label={accountWord('accounts.text')} value={text} onChange={setText} autoComplete="off" />
            <Choice
              label={accountWord('accounts.role')}
              anyText={word('any')}
              options={roles.map((id) => ({ id, text: named('role', id) }))}
              value={role}
              onChange={setRole}
            />
            <Field label={accountWord('accounts.group')} value={group} onChange={setGroup} autoComplete="off" />
          </div>
          <PagedTable
            pages={pages}
            caption={word('accounts.title')}
            columns={columns}
            keyOf={({ id }) => id}
            empty={accountWord('accounts.empty')}
          />
        </>
      )}
      {open !== undefined && (
        <AccountDialog account={open === 'new' ? undefined : open} onChanged={pages.reload} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}
