import type { Plugin } from 'vite'
import { languages } from './shared/words/languages.ts'

/** React Aria's own texts, one file per language */
// linear: reads package paths only, at build time
const sentences = /\/react-(?:aria|stately)[^/]*\/.*\/intl\/(?:.*\/)?([a-z]{2})-[A-Z]{2}\.mjs$/

/** Removes component texts in languages that no page offers. */
export function spokenLanguages(): Plugin {
  const spoken = new Set<string>(languages.map(({ code }) => code))
  return {
    name: 'spoken-languages',
    load(id) {
      const [, language] = sentences.exec(id) ?? []
      // the dictionary ignores undefined entries
      return language === undefined || spoken.has(language) ? null : 'export default undefined'
    },
  }
}
