/**
 * What somebody chose on any page, for all of them. In cookies, because they are of the host: the pages are on several ports, and a browser's
 * storage is of one. `first-look.ts` reads them before anything is painted.
 */
const days = 365

export function remember(choice: 'language' | 'theme', value: string | undefined): void {
  const age = value === undefined ? 0 : days * 86_400
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `civigraph.${choice}=${value ?? ''}; Path=/; Max-Age=${age}; SameSite=Lax`
}
