/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../frame/dialog.tsx'
import { useWords } from '../words/words.ts'
import { type Credentials, credentials, keepKey, signIn, signOut } from './credentials.ts'

/** Who the operations are asked as: a button that signs in and out, and the window that it opens. */
export function SignIn() {
  const { word } = useWords()
  const [known, setKnown] = useState(credentials)
  const [isOver, setOver] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    // an operation may have found that the session is over
    const show = (): void => {
      setKnown(credentials())
      setOver(true)
    }
    globalThis.addEventListener('credentials-ended', show)
    return () => globalThis.removeEventListener('credentials-ended', show)
  }, [])
  const press = async (): Promise<void> => {
    if (known === undefined) return setOpen(true)
    setKnown(undefined)
    // the session ends by itself where the platform cannot be told
    await signOut().catch(() => undefined)
  }
  const close = (): void => setOpen(false)
  const use = (used: Credentials): void => {
    setKnown(used)
    setOver(false)
    close()
  }
  return (
    <div class="who">
      <span role="status" dir="auto">
        {known === undefined ? isOver && word('problem.over') : known.kind === 'key' ? word('sign-in.with-key') : known.email}
      </span>
      <button type="button" class="button" onClick={press}>
        {word(known === undefined ? 'session.sign-in' : 'session.sign-out')}
      </button>
      {isOpen && (
        <Dialog title={word('session.sign-in')} onClose={close}>
          <p>{word('sign-in.kept')}</p>
          <Form
            title={word('sign-in.as-administrator')}
            submit={word('sign-in.use-account')}
            onSubmit={async (given) => use(await signIn(String(given.get('email')), String(given.get('password'))))}
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
            onSubmit={async (given) => use(keepKey(String(given.get('key')).trim()))}
          >
            <div class="field">
              <label for="sign-in-key">{word('sign-in.key')}</label>
              <input id="sign-in-key" name="key" autocomplete="off" spellcheck={false} required />
            </div>
          </Form>
        </Dialog>
      )}
    </div>
  )
}

interface FormProps {
  readonly title: string
  readonly submit: string
  /** @throws {Error} with the sentence of the platform */
  readonly onSubmit: (given: FormData) => Promise<void>
  readonly children: ComponentChildren
}

function Form({ title, submit, onSubmit, children }: FormProps) {
  const { word } = useWords()
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault()
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
      <button type="submit" class="button" disabled={isPending}>
        {submit}
      </button>
    </form>
  )
}
