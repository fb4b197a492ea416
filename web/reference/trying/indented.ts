/**
 * Indents JSON up to `maxLength` characters, without parsing it: numbers and duplicate members stay as written, and the cost depends on the
 * shown part only.
 */
export function indented(json: string, most = Number.POSITIVE_INFINITY): string {
  let made = ''
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  // a string, a bracket, a comma or colon, or a literal
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
