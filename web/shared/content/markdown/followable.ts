const longestUrl = 2000

/** Returns an address with the scheme http, https or mailto; undefined for any other. */
export function followable(address: unknown): string | undefined {
  const text = String(address ?? '')
  if (text.length > longestUrl || !/^(?:https?:\/\/|mailto:)/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}
