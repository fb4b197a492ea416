import { credentials, signIn, signOut, useKey } from './credentials.js'

/** The bar's button, which signs in and out, and the window that it opens. */
export function mountSignIn() {
  const button = document.querySelector('#sign-in')
  const who = document.querySelector('#signed-in')
  const dialog = document.querySelector('#credentials')
  const problem = document.querySelector('#sign-in-problem')

  const show = () => {
    const known = credentials()
    button.textContent = known === undefined ? 'Sign in' : 'Sign out'
    who.textContent = known === undefined ? '' : known.kind === 'key' ? 'With an API key' : known.email
  }

  const submit = (form, use) =>
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      problem.textContent = ''
      const submitter = form.querySelector('button')
      submitter.disabled = true
      try {
        await use(new FormData(form))
        form.reset()
        dialog.close()
      } catch (error) {
        problem.textContent = error.name === 'TimeoutError' ? 'The platform does not answer. Try again.' : error.message
      } finally {
        submitter.disabled = false
        show()
      }
    })
  const [account, key] = dialog.querySelectorAll('form')
  submit(account, (given) => signIn(String(given.get('email')), String(given.get('password'))))
  submit(key, async (given) => useKey(String(given.get('key')).trim()))

  dialog.querySelector('#close').addEventListener('click', () => dialog.close())
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
