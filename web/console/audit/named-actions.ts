/**
 * Returns the actions that a search in words means: those whose name or code contains every word, regardless of case and accents.
 * @param nameOf - returns the name of a code in the language of the page
 * @returns the typed text itself when it is a code that the page does not know; undefined without a search
 */
export function actionsNamed(text: string, codes: readonly string[], nameOf: (code: string) => string): readonly string[] | undefined {
  const words = plain(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return undefined
  const matches = codes.filter((code) => {
    const searched = plain(`${code} ${nameOf(code)}`)
    return words.every((word) => searched.includes(word))
  })
  return matches.length > 0 ? matches : [text.trim()]
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
