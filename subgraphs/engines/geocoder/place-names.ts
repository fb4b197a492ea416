/** Words that announce a place, folded; Arabic ones may be written together with the name. */
const before = new Set(
  (
    'a au aux en vers depuis chez quartier commune ville village de du des dans pres ' +
    'in at near from to around of town city village district suburb ' +
    'en cerca barrio ciudad pueblo em perto bairro cidade in bei nach'
  ).split(' '),
)
const arabicPlace =
  /(?:^|[\s،.])(?:في|بمدينة|مدينة|قرية|حي|بلدة|منطقة|ولاية|بحي|بقرية)\s+([\p{Script=Arabic}]{3,}(?:\s+ال[\p{Script=Arabic}]{3,})?)/gu
const maxWords = 4
const maxNames = 2

const fold = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * What in a text may be the name of a place, the likeliest first: runs of capitalised words, those after a word that announces a place
 * before the others; the first word of a sentence is capitalised anyway and counts only in a longer run.
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
      if (from > 0 && before.has(fold(words[from - 1] ?? ''))) announced.push(name)
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
  for (const [, name = ''] of text.slice(0, 2000).matchAll(arabicPlace)) announced.push(name)
  return [...new Set([...announced, ...others])].slice(0, maxNames)
}
