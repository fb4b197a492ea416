import type { Plugin } from 'vite'
import { languages } from './shared/words/languages.ts'

/** what React Aria says by itself, a file for each language */
// linear: reads only paths of packages while the pages are built
const sentences = /\/react-(?:aria|stately)[^/]*\/.*\/intl\/(?:.*\/)?([a-z]{2})-[A-Z]{2}\.mjs$/

/** Leaves out of the pages what their components could say in languages that no page speaks. */
export function spokenLanguages(): Plugin {
  const spoken = new Set<string>(languages.map(({ code }) => code))
  return {
    name: 'spoken-languages',
    load(id) {
      const [, language] = sentences.exec(id) ?? []
      // a dictionary takes no notice of what is nothing
      return language === undefined || spoken.has(language) ? null : 'export default undefined'
    },
  }
}
