/** Files of what is shown: they need the tenant's header, so they are fetched and handed over. */
import { byId, element, say } from '/pages/element.js'
import { readFile } from './service.js'
import { word } from './words.js'

/** @param {() => void} whenAway - when the service did not answer, the page looks for itself */
export function showDownloads(tenant, { id, depth, slug, children_count: count }) {
  const file = (text, kind, wanted, name, style) => {
    const button = element('button', { type: 'button', class: `button ${style}`.trim() }, word(text))
    button.addEventListener('click', () => take(button, tenant, kind, wanted, name))
    return button
  }
  const own = depth === 0 ? [] : [file(count === 0 ? 'pdf' : 'pdfInside', 'pdf', id, `${slug}.pdf`, '')]
  byId('downloads').replaceChildren(
    ...own,
    file('pdfWhole', 'pdf', undefined, `${tenant || 'magazine'}.pdf`, depth === 0 ? '' : 'plain'),
    file('json', 'json', id, `${slug}.json`, 'plain'),
  )
  say(byId('download-note'), '')
}

async function take(button, tenant, kind, id, name) {
  const note = byId('download-note')
  button.setAttribute('aria-disabled', 'true')
  say(note, word('making'))
  try {
    const url = URL.createObjectURL(await readFile(tenant, kind, id))
    element('a', { href: url, download: name }).click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
    say(note, word('made', { name }))
  } catch {
    say(note, word('failedFile'))
  } finally {
    button.removeAttribute('aria-disabled')
  }
}
