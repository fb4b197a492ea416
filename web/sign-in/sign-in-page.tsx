import { type FormEvent, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { tabStorage } from '../shared/frame/browser-storage.ts'
import { PageHeader } from '../shared/frame/page-header.tsx'
import { useTitle } from '../shared/frame/page-hooks.ts'
import { useSessionWords } from '../shared/session/words/words.ts'

/** only at this address: a link from elsewhere must not send the password to another host */
const loginPath = /^(\/[\w-]+)*\/login\/[\w-]{1,64}$/

/** the address of a refused sign-in, so that it is not typed again */
const typed = tabStorage<{ readonly email: string }>('civigraph.sign-in-email')
const problems = { credentials: 'sign-in.credentials', locked: 'sign-in.locked', unavailable: 'sign-in.unavailable' } as const

/** A form that the browser submits to the identity provider, which redirects to the page that started the sign-in. */
export function SignInPage() {
  const { word } = useSessionWords()
  const [isPending, setPending] = useState(false)
  useTitle(word('session.sign-in'))
  const params = new URLSearchParams(location.search)
  const to = params.get('to') ?? ''
  const problem = Object.entries(problems).find(([name]) => name === params.get('problem'))?.[1]
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>): void => {
    typed.write({ email: String(new FormData(currentTarget).get('email')) })
    setPending(true)
  }
  return (
    <>
      <PageHeader />
      <main id="content" className="wide narrow" tabIndex={-1}>
        <h1>{word('session.sign-in')}</h1>
        {loginPath.test(to) ? (
          <form className="column" method="post" action={to} onSubmit={submit}>
            <Field
              label={word('session.email')}
              name="email"
              type="email"
              autoComplete="username"
              isRequired
              {...(problem !== undefined && { defaultValue: typed.read()?.email ?? '' })}
            />
            <Field label={word('session.password')} name="password" type="password" autoComplete="current-password" isRequired />
            {problem !== undefined && (
              <p role="alert" className="bad">
                {word(problem)}
              </p>
            )}
            <Button look="main" type="submit" isPending={isPending}>
              {word('session.sign-in')}
            </Button>
          </form>
        ) : (
          <p role="alert">{word(params.get('problem') === 'over' ? 'sign-in.over' : 'sign-in.nowhere')}</p>
        )}
      </main>
    </>
  )
}
