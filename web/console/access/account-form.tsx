import { type AccountsQuery, type AdministratorRole, CreateAccountDocument, UpdateAccountDocument } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { dictionary } from '../../shared/words/language.tsx'
import { useWords } from '../words/words.ts'
import ar from './account-words/ar.json' with { type: 'json' }
import en from './account-words/en.json' with { type: 'json' }
import fr from './account-words/fr.json' with { type: 'json' }

/** Roles with permissions in the platform, most powerful first. */
export const roles: readonly AdministratorRole[] = ['SUPER_ADMIN', 'GROUP_ADMIN', 'REVIEWER']

export type Account = NonNullable<AccountsQuery['accounts']>['nodes'][number]

/** The words of accounts, loaded with that view alone. */
export const useAccountWords = dictionary({ fr, en, ar })

export interface AccountFormProps {
  readonly account: Account | undefined
  /** @param password - of the new account */
  readonly onCreated: (password: string) => void
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** The fields of an account; the email address of an existing one is fixed. */
export function AccountForm({ account, onCreated, onChanged, onClose }: AccountFormProps) {
  const { word, named } = useWords()
  const { word: accountWord } = useAccountWords()
  const [email, setEmail] = useState(account?.email ?? '')
  const [givenName, setGivenName] = useState(account?.givenName ?? '')
  const [familyName, setFamilyName] = useState(account?.familyName ?? '')
  const [tenantId, setTenantId] = useState(account?.tenant?.id ?? '')
  const [groups, setGroups] = useState(account?.groups.map(({ id }) => id).join(', ') ?? '')
  const [chosenRoles, setRoles] = useState<readonly AdministratorRole[]>(account?.roles ?? ['GROUP_ADMIN'])
  const [creation, create] = useMutation(CreateAccountDocument)
  const [update, updateAccount] = useMutation(UpdateAccountDocument)

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const fields = {
      roles: [...chosenRoles],
      groupIds: groups
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
      givenName: textOrNull(givenName),
      familyName: textOrNull(familyName),
      tenantId: textOrNull(tenantId),
    }
    if (account === undefined) {
      const { data } = await create({ input: { email: email.trim(), ...fields } })
      if (data?.createAccount != null) onCreated(data.createAccount.password)
    } else {
      const { data } = await updateAccount({ input: { id: account.id, ...fields } })
      if (data?.updateAccount != null) onChanged()
    }
  }
  return (
    <Form onSubmit={submit} error={creation.error ?? update.error}>
      {account === undefined && (
        <Field
          name="email"
          label={accountWord('accounts.email')}
          value={email}
          onChange={setEmail}
          type="email"
          isRequired
          autoComplete="off"
          autoFocus
        />
      )}
      <fieldset>
        <legend>{accountWord('accounts.roles')}</legend>
        {roles.map((role) => (
          <label key={role} className="check">
            <input
              type="checkbox"
              checked={chosenRoles.includes(role)}
              onChange={({ currentTarget: { checked } }) =>
                setRoles(roles.filter((each) => (each === role ? checked : chosenRoles.includes(each))))
              }
            />{' '}
            <span>
              {named('role', role)} <span className="quiet">{named('role-may', role)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        name="groups"
        label={accountWord('accounts.groups')}
        value={groups}
        onChange={setGroups}
        help={accountWord('accounts.groups-help')}
        autoComplete="off"
      />
      <Field name="givenName" label={accountWord('accounts.given-name')} value={givenName} onChange={setGivenName} autoComplete="off" />
      <Field name="familyName" label={accountWord('accounts.family-name')} value={familyName} onChange={setFamilyName} autoComplete="off" />
      <Field
        name="tenantId"
        label={accountWord('accounts.tenant')}
        value={tenantId}
        onChange={setTenantId}
        help={accountWord('accounts.tenant-help')}
        autoComplete="off"
      />
      <div className="row">
        <Button onPress={onClose}>{word('cancel')}</Button>
        <Button look="main" type="submit" isDisabled={chosenRoles.length === 0} isPending={creation.fetching || update.fetching}>
          {accountWord(account === undefined ? 'accounts.make' : 'accounts.keep')}
        </Button>
      </div>
    </Form>
  )
}

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
