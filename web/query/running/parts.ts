/**
 * Yields the parts of a `multipart/mixed` response without their headers, each as soon as it is complete.
 * @param boundary - from the media type
 * @see RFC 2046, 5.1
 */
export async function* partsOf(body: ReadableStream<Uint8Array>, boundary: string): AsyncGenerator<string> {
  const delimiter = `\r\n--${boundary}`
  const reader = body.getReader()
  const decoder = new TextDecoder()
  // the body may begin with the first delimiter
  let text = '\r\n'
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true })
    for (let end = text.indexOf(delimiter); end >= 0; end = text.indexOf(delimiter)) {
      const part = text.slice(0, end)
      text = text.slice(end + delimiter.length)
      const start = part.indexOf('\r\n\r\n')
      if (start >= 0) yield part.slice(start + 4)
    }
  }
}
