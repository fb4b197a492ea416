/**
 * Indents JSON up to `maxLength` characters, without parsing it: numbers and duplicate members stay as written, and the cost depends on the
 * shown part only.
 */
export function indented(json: string, maxLength = Number.POSITIVE_INFINITY): string {
  let output = ''
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  // a string, a bracket, a comma or colon, or a literal
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[{]\s*[\]}]|[[{\]},:]|[^\s"[\]{},:]+/g)) {
    if (output.length > maxLength) break
    if (/^[[{]\s*[\]}]$/.test(token)) output += token[0] === '[' ? '[]' : '{}'
    else if (token === '{' || token === '[') {
      depth++
      output += token + line()
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      output += line() + token
    } else if (token === ',') output += token + line()
    else output += token === ':' ? ': ' : token
  }
  return output.slice(0, maxLength)
}
