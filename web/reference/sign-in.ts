import { elementAt } from '../shared/frame/element.ts'
import { onSubmit } from '../shared/frame/submitted.ts'
import type { Account } from './interface.ts'
import { type KeptSession, keepSession, keptSession } from './kept-session.ts'
import { word } from './words/words.ts'

/**
 * The bar's button and its window: an administrator's account becomes an access token, which stays in this tab.
 * @param account - what the form begins with: in development its owner is known
 * @param onToken - called with a token, and with undefined when the account signs out or its token ends
 */
export function mountSignIn(account: Account | undefined, onToken: (token: string | undefined) => void): void {
  const button = elementAt('#sign-in', HTMLButtonElement)
  const who = elementAt('#signed-in', HTMLElement)
  const dialog = elementAt('#account', HTMLDialogElement)
  const problem = elementAt('#sign-in-problem', HTMLElement)
  const email = elementAt('#email', HTMLInputElement)
  const password = elementAt('#password', HTMLInputElement)
  if (account !== undefined) {
    email.value = account.email
    password.value = account.password
  }

  let ending: ReturnType<typeof setTimeout> | undefined
  const end = (sentence: string): void => {
    clearTimeout(ending)
    ending = undefined
    keepSession(undefined)
    onToken(undefined)
    button.textContent = word('sign-in')
    who.textContent = sentence
  }

  const begin = (session: KeptSession): void => {
    ending = setTimeout(() => end(word('over')), session.endsAt - Date.now())
    keepSession(session)
    onToken(session.accessToken)
    button.textContent = word('sign-out')
    who.textContent = session.email
  }

  const kept = keptSession()
  if (kept !== undefined) begin(kept)
  onSubmit(elementAt('form', HTMLFormElement, dialog), { problem, unanswered: word('unanswered') }, async () => {
    const { access_token, expires_in } = await login(email.value, password.value)
    begin({ email: email.value, accessToken: access_token, endsAt: Date.now() + expires_in * 1000 })
    dialog.close()
  })
  elementAt('#close', HTMLButtonElement).addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    problem.textContent = ''
  })
  button.addEventListener('click', () => (ending === undefined ? dialog.showModal() : end('')))
  button.hidden = false
}

/** @throws {Error} with the sentence of the platform */
async function login(email: string, password: string): Promise<{ readonly access_token: string; readonly expires_in: number }> {
  const response = await fetch('/docs/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(15_000),
  })
  const answer = await response.json()
  if (response.ok) return answer
  throw new Error(typeof answer.detail === 'string' ? answer.detail : word('no-account'))
}
