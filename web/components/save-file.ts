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
