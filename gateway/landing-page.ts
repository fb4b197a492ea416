/** A part of the platform that answers at an address of its own. */
export interface Address {
  readonly name: string
  readonly url: string
  readonly about: string
}

/** A page that names what runs where. Nothing in it comes from another host. */
export function landingPage(title: string, addresses: readonly Address[]): string {
  const items = addresses.map(
    ({ name, url, about }) => `<li><a href="${escaped(url)}">${escaped(name)}</a> <code>${escaped(url)}</code>: ${escaped(about)}</li>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body { font: 1rem/1.6 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }</style>
<h1>${escaped(title)}</h1>
<ul>
${items.join('\n')}
</ul>
</html>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
