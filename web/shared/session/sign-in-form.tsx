import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { errorOf } from '../../components/error-of.ts'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { useSharedWords } from '../words/dictionary.ts'
import { useSession } from './session.tsx'

/** E-mail address and password become a session; why not, in the platform's own sentence. @param email - whose session has ended */
export function SignInForm({ email }: { email?: string | null }) {
  const { signIn } = useSession()
  const { word } = useSharedWords()
  const [problem, setProblem] = useState<Error>()
  const [isPending, setPending] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    setPending(true)
    setProblem(undefined)
    try {
      await signIn(String(given.get('email')), String(given.get('password')))
    } catch (error) {
      setProblem(errorOf(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <form className="column" onSubmit={submit}>
      <Field
        label={word('session.email')}
        name="email"
        type="email"
        autoComplete="username"
        isRequired
        {...(email != null && { defaultValue: email })}
      />
      <Field label={word('session.password')} name="password" type="password" autoComplete="current-password" isRequired />
      <Problem error={problem} />
      <Button look="main" type="submit" isPending={isPending}>
        {word('session.sign-in')}
      </Button>
    </form>
  )
}
