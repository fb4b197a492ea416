/** The live figures of the queue, asked anew every few seconds while the page is looked at. */
import { queueFigures } from './service.js'

const everyMs = 4000

export async function followQueue() {
  if (!document.hidden) await refresh()
  setTimeout(followQueue, everyMs)
}

async function refresh() {
  const figures = await queueFigures().catch(() => undefined)
  for (const place of document.querySelectorAll('[data-figure]')) {
    place.textContent = figures?.[place.dataset.figure].toLocaleString() ?? '–'
  }
  if (figures === undefined) say('The figures cannot be read just now.')
  else say(figures.workers === 0 ? 'No worker is running: submissions wait until one starts.' : '')
}

/** A screen reader hears it when it changes, not every round. */
function say(text) {
  const note = document.querySelector('#figures-note')
  if (note.textContent !== text) note.textContent = text
}
