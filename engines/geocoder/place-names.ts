import { foldLetters } from '../../foundation/text/fold.ts'
import { announcedInArabic, announcingWords } from './place-words.ts'

const maxWords = 4
const maxNames = 2

/**
 * Returns possible place names in a text, the most likely first: runs of capitalised words, those after an announcing word before the others. The
 * first word of a sentence counts only within a longer run.
 */
export function placeNamesIn(text: string): readonly string[] {
  const announced: string[] = []
  const others: string[] = []
  for (const sentence of text.slice(0, 2000).split(/[.!?\n]+/)) {
    const words = sentence.replace(/[’']/g, ' ').match(/[\p{L}\p{N}-]+/gu) ?? []
    let run: string[] = []
    let from = 0
    const close = (): void => {
      const name = run.join(' ')
      if (from > 0 && announcingWords.has(foldLetters(words[from - 1] ?? ''))) announced.push(name)
      else if (from > 0 && name.length > 2) others.push(name)
      run = []
    }
    for (const [index, word] of words.entries()) {
      if (/^\p{Lu}[\p{L}-]{2,}/u.test(word) && !/^\p{Lu}{2,}$/u.test(word) && run.length < maxWords) {
        if (run.length === 0) from = index
        run.push(word)
      } else if (run.length > 0) close()
    }
    if (run.length > 0) close()
  }
  for (const [, name = ''] of text.slice(0, 2000).matchAll(announcedInArabic)) announced.push(name)
  return [...new Set([...announced, ...others])].slice(0, maxNames)
}
