/** Returns the text in the user's language, else in English, else in any. */
export function labelIn(language: string, labels: readonly { readonly lang: string; readonly text: string }[]): string | undefined {
  const found = [language, 'en'].map((wanted) => labels.find(({ lang }) => lang === wanted)).find((label) => label !== undefined)
  return (found ?? labels[0])?.text
}
