/** Hands the reader a file that was made in the page. */
export const saveFile = (name: string, mediaType: string, content: string): void => saveBlob(name, new Blob([content], { type: mediaType }))

/** Hands the reader a file that the page has fetched. */
export function saveBlob(name: string, content: Blob): void {
  const href = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  // once the browser has begun to take it
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
