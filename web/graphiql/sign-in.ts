import { elementAt } from '../shared/frame/element.ts'
import { onSubmit } from '../shared/frame/submitted.ts'
import { credentials, keepKey, signIn, signOut } from './credentials.ts'
import { word } from './words/words.ts'

/** The bar's button, which signs in and out, and the window that it opens. */
export function mountSignIn(): void {
  const button = elementAt('#sign-in', HTMLButtonElement)
  const who = elementAt('#signed-in', HTMLElement)
  const dialog = elementAt('#credentials', HTMLDialogElement)
  const problem = elementAt('#sign-in-problem', HTMLElement)

  const show = (): void => {
    const known = credentials()
    button.textContent = word(known === undefined ? 'sign-in' : 'sign-out')
    who.textContent = known === undefined ? '' : known.kind === 'key' ? word('with-key') : known.email
  }
  const submit = (selector: string, use: (given: FormData) => unknown): void => {
    const form = elementAt(selector, HTMLFormElement, dialog)
    onSubmit(form, { problem, unanswered: word('unanswered') }, async (given) => {
      await use(given)
      form.reset()
      dialog.close()
      show()
    })
  }
  submit('#account', (given) => signIn(String(given.get('email')), String(given.get('password'))))
  submit('#service', (given) => keepKey(String(given.get('key')).trim()))

  elementAt('#close', HTMLButtonElement).addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    problem.textContent = ''
  })
  button.addEventListener('click', async () => {
    if (credentials() === undefined) return dialog.showModal()
    // the session ends by itself where the platform cannot be told
    await signOut().catch(() => undefined)
    show()
  })
  // another operation may have found that it is over
  globalThis.addEventListener('credentials-ended', show)
  show()
}
