/** Normalises a text: NFC, no control characters except line breaks and tabs, no lone surrogates, trimmed. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .normalize('NFC')
    .trim()
}
