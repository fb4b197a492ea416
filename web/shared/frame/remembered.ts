/**
 * Stores the user's choices for all pages, in cookies: the pages are on several ports of a host, which share cookies but not storage.
 * `first-look.ts` reads them before the first paint.
 */
const days = 365

export function remember(choice: 'language' | 'theme', value: string | undefined): void {
  const age = value === undefined ? 0 : days * 86_400
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `civigraph.${choice}=${value ?? ''}; Path=/; Max-Age=${age}; SameSite=Lax`
}
