/** In development: citizens that are drawn, each sent by one click, with the key that the platform fills in. */

import { fillJob } from './form.js'

const patienceMs = 30_000
const ask = async (path) => {
  const response = await fetch(path, { signal: AbortSignal.timeout(patienceMs) })
  if (!response.ok) throw new Error(`${response.status}`)
  return response.json()
}

/** Fills the key in and shows the citizens; nothing where the platform gives no key. @param {() => void} send - sends the form */
export async function offerDrawnCitizens(send) {
  const [panel, status, key] = ['drawn', 'drawn-status', 'api-key'].map((id) => document.getElementById(id))
  const known = await ask('/docs/development.json').catch(() => ({}))
  if (known.key === undefined) return
  if (key.value === '') key.value = known.key
  panel.hidden = false
  for (const button of panel.querySelectorAll('button'))
    button.addEventListener('click', async () => {
      button.disabled = true
      status.textContent = 'Drawing.'
      try {
        const job = await ask(`/pages/verification/drawn/${button.dataset.citizen}.json`)
        fillJob(job)
        status.textContent = ''
        send()
      } catch {
        status.textContent = 'The citizen could not be drawn. Try again.'
      } finally {
        button.disabled = false
      }
    })
}
