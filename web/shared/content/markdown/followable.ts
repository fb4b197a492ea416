const longestUrl = 2000

/** An address that a reader may follow: http, https or mailto; undefined for all others. */
export function followable(address: unknown): string | undefined {
  const text = String(address ?? '')
  if (text.length > longestUrl || !/^(?:https?:\/\/|mailto:)/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}
