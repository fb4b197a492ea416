/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../frame/dialog.tsx'
import { useWords } from '../words/words.tsx'
import { type Credentials, signIn, storeKey } from './credentials.ts'

interface SignInProps {
  readonly onUse: (credentials: Credentials) => void
  readonly onClose: () => void
}

/** A dialog for signing in with an account or an API key. */
export function SignIn({ onUse, onClose }: SignInProps) {
  const { word } = useWords()
  return (
    <Dialog title={word('session.sign-in')} onClose={onClose}>
      <p>{word('sign-in.kept')}</p>
      <Form
        title={word('sign-in.as-administrator')}
        submit={word('sign-in.use-account')}
        onSubmit={async (form) => onUse(await signIn(String(form.get('email')), String(form.get('password'))))}
      >
        <div class="field">
          <label for="sign-in-email">{word('session.email')}</label>
          <input id="sign-in-email" name="email" type="email" autocomplete="username" required />
        </div>
        <div class="field">
          <label for="sign-in-password">{word('session.password')}</label>
          <input id="sign-in-password" name="password" type="password" autocomplete="current-password" required />
        </div>
      </Form>
      <Form
        title={word('sign-in.as-service')}
        submit={word('sign-in.use-key')}
        onSubmit={async (form) => onUse(storeKey(String(form.get('key')).trim()))}
      >
        <div class="field">
          <label for="sign-in-key">{word('sign-in.key')}</label>
          <input id="sign-in-key" name="key" autocomplete="off" spellcheck={false} required />
        </div>
      </Form>
    </Dialog>
  )
}

interface FormProps {
  readonly title: string
  readonly submit: string
  /** @throws {Error} with the platform's message */
  readonly onSubmit: (form: FormData) => Promise<void>
  readonly children: ComponentChildren
}

function Form({ title, submit, onSubmit, children }: FormProps) {
  const { word } = useWords()
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault()
    if (isPending) return
    setPending(true)
    setProblem(undefined)
    try {
      await onSubmit(new FormData(event.currentTarget))
    } catch (error) {
      setProblem(error instanceof Error && error.name === 'Error' ? error.message : word('problem.unanswered'))
    } finally {
      setPending(false)
    }
  }
  return (
    <form class="column" onSubmit={send}>
      <h3>{title}</h3>
      {children}
      {problem !== undefined && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <button type="submit" class="button" data-pending={isPending || undefined}>
        {submit}
      </button>
    </form>
  )
}
