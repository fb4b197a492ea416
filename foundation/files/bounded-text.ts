/** Returns the decompressed text of a response and stops reading at the limit. @throws {Error} if it exceeds `maxBytes` or the transfer fails */
export async function boundedText(answer: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // leaving the loop cancels the body
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`its response exceeds ${maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
