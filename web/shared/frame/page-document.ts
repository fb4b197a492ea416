/** Returns an element of the page's HTML. @throws {Error} when it is missing or of another type */
export function elementAt<Kind extends Element>(selector: string, kind: new () => Kind, within: ParentNode = document): Kind {
  const element = within.querySelector(selector)
  if (element instanceof kind) return element
  throw new Error(`The page has no ${kind.name} at ${selector}`)
}

/**
 * Reads the facts that the server embeds as JSON in the page's head (`facts` of `builtPage`).
 * @throws {Error} when the element is missing
 */
export function factsOf<Facts>(): Facts {
  const element = document.querySelector<HTMLMetaElement>('meta[name=facts]')
  if (element === null) throw new Error('The page has no <meta name="facts"> element')
  return JSON.parse(element.content)
}

/** Focuses the main content: `<main id="content" tabIndex={-1}>`. */
export function focusContent(): void {
  document.querySelector<HTMLElement>('#content')?.focus()
}

/** Downloads a file that the page generated. */
export const saveFile = (name: string, mediaType: string, content: string): void => saveBlob(name, new Blob([content], { type: mediaType }))

/** Downloads a file that the page fetched. */
export function saveBlob(name: string, content: Blob): void {
  const href = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  // the download has started by then
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
