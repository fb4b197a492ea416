import type { LocalisedText } from './exploration.type.ts'

/** Description of the argument `lang` of labels. */
export const labelLanguage = 'Language code (BCP 47), such as fr or ar-DZ.'

/** Languages of a label that has none in the requested language, in order; then its first one. */
const fallbacks = ['en', 'und'] as const

/** Returns a label in a language, else in its primary language, else in English, else any. */
export function labelIn(labels: readonly LocalisedText[], lang: string): string {
  const wanted = lang.toLowerCase()
  const [primary = ''] = wanted.split('-')
  for (const each of [wanted, primary, ...fallbacks]) {
    const label = labels.find((one) => one.lang.toLowerCase() === each)
    if (label !== undefined) return label.text
  }
  return labels[0]?.text ?? ''
}
