/** The live metrics of the queue, asked anew every few seconds while the page is looked at. */
import { queueMetrics } from './service.js'

const everyMs = 4000

export async function followQueue() {
  if (!document.hidden) await refresh()
  setTimeout(followQueue, everyMs)
}

async function refresh() {
  const metrics = await queueMetrics().catch(() => undefined)
  for (const place of document.querySelectorAll('[data-figure]')) {
    place.textContent = metrics?.[place.dataset.figure].toLocaleString() ?? '–'
  }
  if (metrics === undefined) say('The figures cannot be read just now.')
  else say(metrics.workers === 0 ? 'No worker is running: submissions wait until one starts.' : '')
}

/** A screen reader hears it when it changes, not every round. */
function say(text) {
  const note = document.querySelector('#figures-note')
  if (note.textContent !== text) note.textContent = text
}
