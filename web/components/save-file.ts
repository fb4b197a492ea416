/** Hands the reader a file that was made in the page. */
export function saveFile(name: string, mediaType: string, content: string): void {
  const href = URL.createObjectURL(new Blob([content], { type: mediaType }))
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  // once the browser has begun to take it
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
