/** A text within an address. Half of a character, which JSON can name and an address cannot, becomes U+FFFD. */
export const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))

/** The text that is encoded; itself, where that cannot be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
