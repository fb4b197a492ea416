/** Where the reader is, kept in the address: each text has one that can be sent to somebody. */
import { askedLanguage } from '/pages/language.js'

/** @returns {{ tenant: string, id: string | undefined }} tenant '': the service's own choice; id undefined: the root */
export function place() {
  const asked = new URLSearchParams(location.search)
  return { tenant: asked.get('tenant') ?? '', id: asked.get('node') ?? undefined }
}

/** @param {string | undefined} id @param {string} tenant @param {string | null} lang - null: not part of the address */
export function addressOf(id, tenant = place().tenant, lang = askedLanguage()) {
  const members = { node: id, tenant: tenant || undefined, lang: lang ?? undefined }
  const query = new URLSearchParams(Object.entries(members).filter(([, value]) => value !== undefined))
  return query.size === 0 ? '/' : `/?${query}`
}

/** Asks the page to go somewhere: `main.js` listens. */
export function go(address) {
  history.pushState(null, '', address)
  dispatchEvent(new Event('place'))
}

/** Links of the page itself are followed without loading it again; those opened elsewhere stay what they are. */
export function followLinks() {
  document.addEventListener('click', (event) => {
    const found = event.target instanceof Element ? event.target.closest('a[data-place]') : null
    if (found === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(found.getAttribute('href'))
  })
}
