import { InvalidCredentialsError } from '@civigraph/client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { errorOf } from '../frame/fault-boundary.tsx'
import { useSession } from './session.tsx'
import { useSessionWords } from './words/words.ts'

export interface AccountFormProps {
  /** initial values */
  readonly account?: { readonly email?: string | null | undefined; readonly password?: string | undefined }
  signIn(email: string, password: string): Promise<void>
  /** @param thrown - by `signIn`   @returns the error to show */
  problemOf(thrown: unknown): Error
  /** content above the fields */
  readonly children?: ReactNode
}

/** A form for email address and password that shows why a sign-in failed. */
export function AccountForm({ account: { email, password } = {}, signIn, problemOf, children }: AccountFormProps) {
  const { word } = useSessionWords()
  const [problem, setProblem] = useState<Error>()
  const [isPending, setPending] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setPending(true)
    setProblem(undefined)
    try {
      await signIn(String(form.get('email')), String(form.get('password')))
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <form className="column" onSubmit={submit}>
      {children}
      <Field
        label={word('session.email')}
        name="email"
        type="email"
        autoComplete="username"
        isRequired
        {...(email != null && { defaultValue: email })}
      />
      <Field
        label={word('session.password')}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        {...(password !== undefined && { defaultValue: password })}
      />
      <Problem error={problem} />
      <Button look="main" type="submit" isPending={isPending}>
        {word('session.sign-in')}
      </Button>
    </form>
  )
}

/** Signs in with an email address and a password. @param email - of the account whose session has ended */
export function SignInForm({ email }: { email?: string | null }) {
  const { signIn } = useSession()
  const { word } = useSessionWords()
  const problemOf = (thrown: unknown): Error =>
    thrown instanceof InvalidCredentialsError ? new Error(word('sign-in.credentials')) : errorOf(thrown)
  return <AccountForm account={{ email }} signIn={signIn} problemOf={problemOf} />
}
