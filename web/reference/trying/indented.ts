/**
 * JSON with each member on a line of its own, as far as `most` characters of it are to be seen. It is not parsed: a number stays as it was
 * written, a member that comes twice is seen twice, and a large text costs no more than what is shown of it.
 */
export function indented(json: string, most = Number.POSITIVE_INFINITY): string {
  let made = ''
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  // a text, what opens or closes, a comma or colon, or what stands for itself
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[{]\s*[\]}]|[[{\]},:]|[^\s"[\]{},:]+/g)) {
    if (made.length > most) break
    if (/^[[{]\s*[\]}]$/.test(token)) made += token[0] === '[' ? '[]' : '{}'
    else if (token === '{' || token === '[') {
      depth++
      made += token + line()
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      made += line() + token
    } else if (token === ',') made += token + line()
    else made += token === ':' ? ': ' : token
  }
  return made.slice(0, most)
}
