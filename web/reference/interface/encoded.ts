/** Encodes a text for an address; lone surrogates become U+FFFD. */
export const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))

/** Decodes a text; returns it unchanged when it cannot be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
