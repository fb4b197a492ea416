import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import type { Account } from '../interface/described.ts'
import { useWords } from '../words/words.ts'
import { useAccess } from './access.tsx'
import { Refused } from './login.ts'
import { useHandedOver } from './use-handed-over.ts'

/** An administrator's account becomes an access token, which stays in this tab. @param account - what the form begins with */
export function AccountForm({ account }: { account: Account | undefined }) {
  const { word } = useWords()
  const { email, signIn, signOut, ask } = useAccess()
  const [problem, setProblem] = useState<Error>()
  const [isPending, setPending] = useState(false)
  const { place, handOver } = useHandedOver(email)
  const leave = (): void => {
    handOver()
    signOut()
  }
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    setPending(true)
    setProblem(undefined)
    try {
      await signIn(String(given.get('email')), String(given.get('password')))
      ask(false)
    } catch (error) {
      setProblem(new Error(error instanceof Refused ? error.message || word('access.no-account') : word('access.unanswered')))
    } finally {
      setPending(false)
    }
  }
  return (
    <div ref={place}>
      {email === undefined ? (
        <form className="column" onSubmit={submit}>
          <p className="quiet">{word('access.account')}</p>
          <Field
            label={word('session.email')}
            name="email"
            type="email"
            autoComplete="username"
            isRequired
            defaultValue={account?.email ?? ''}
          />
          <Field
            label={word('session.password')}
            name="password"
            type="password"
            autoComplete="current-password"
            isRequired
            defaultValue={account?.password ?? ''}
          />
          <Problem error={problem} />
          <Button look="main" type="submit" isPending={isPending}>
            {word('session.sign-in')}
          </Button>
        </form>
      ) : (
        <p className="row">
          <bdi>{email}</bdi>
          <Button onPress={leave}>{word('session.sign-out')}</Button>
        </p>
      )}
    </div>
  )
}
