/**
 * The text of an answer from another service, decompressed. What is too long is not read to its end.
 * @throws {Error} when it is longer than `maxBytes`, or does not arrive
 */
export async function boundedText(answer: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // leaving the loop cancels the body
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`its answer is longer than ${maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
