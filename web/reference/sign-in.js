/**
 * The bar's button and its window: an administrator's account becomes an access token, which stays in this page.
 * @param account - what the form begins with: in development its owner is known
 * @param onToken - called with a token, and with undefined when the account signs out or its token ends
 */
export function mountSignIn({ account, onToken }) {
  const button = document.querySelector('#sign-in')
  const who = document.querySelector('#signed-in')
  const dialog = document.querySelector('#account')
  const problem = document.querySelector('#sign-in-problem')
  const form = dialog.querySelector('form')
  const { email, password } = form.elements
  if (account !== undefined) {
    email.value = account.email
    password.value = account.password
  }

  let session
  const end = (sentence) => {
    clearTimeout(session?.timer)
    session = undefined
    onToken(undefined)
    button.textContent = 'Sign in'
    who.textContent = sentence
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    problem.textContent = ''
    const submitter = form.querySelector('button')
    submitter.disabled = true
    try {
      const { access_token, expires_in } = await login(email.value, password.value)
      session = { timer: setTimeout(() => end('Your session has ended'), expires_in * 1000) }
      onToken(access_token)
      button.textContent = 'Sign out'
      who.textContent = email.value
      dialog.close()
    } catch (error) {
      problem.textContent = error.name === 'TimeoutError' ? 'The platform does not answer. Try again.' : error.message
    } finally {
      submitter.disabled = false
    }
  })
  dialog.querySelector('#close').addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    problem.textContent = ''
  })
  button.addEventListener('click', () => (session === undefined ? dialog.showModal() : end('')))
  button.hidden = false
}

/** @throws {Error} with the sentence of the platform */
async function login(email, password) {
  const response = await fetch('/docs/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(15_000),
  })
  const answer = await response.json()
  if (response.ok) return answer
  throw new Error(typeof answer.detail === 'string' ? answer.detail : 'This is no e-mail address with a password.')
}
