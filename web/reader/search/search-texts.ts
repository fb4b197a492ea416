import type { ContentText } from '../../shared/content/place/content-view.ts'

/** A search result with an excerpt. */
export interface Match {
  readonly text: ContentText
  /** excerpt around the first match */
  readonly excerpt: string
}

const around = 90
const weights = { title: 8, summary: 3, body: 1 } as const

/** Folds case, accents, vowel signs and the forms of alef, as users type them. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}ـ]/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/[’‘]/g, "'")
    .toLowerCase()

/** Returns the texts that contain all words, title matches first. */
export function searchTexts(texts: readonly ContentText[], wanted: string): readonly Match[] {
  const words = [
    ...new Set(
      folded(wanted)
        .split(/[\s,.;:!?«»"()]+/)
        .filter(Boolean),
    ),
  ]
  if (words.length === 0) return []
  return texts
    .flatMap((text) => {
      const parts = { title: folded(text.title), summary: folded(text.summary ?? ''), body: folded(text.body ?? '') }
      const scores = words.map((word) =>
        (Object.entries(weights) as [keyof typeof weights, number][]).reduce(
          (sum, [name, weight]) => sum + (parts[name].includes(word) ? weight : 0),
          0,
        ),
      )
      if (scores.includes(0)) return []
      return [{ text, score: scores.reduce((sum, each) => sum + each, 0) }]
    })
    .toSorted((one, other) => other.score - one.score)
    .map(({ text }) => ({ text, excerpt: excerptOf(text, words) }))
}

/** Returns an excerpt of the body without markup, or of the summary. */
function excerptOf({ summary, body }: ContentText, words: readonly string[]): string {
  const plain = (body ?? '')
    .replace(/!?\[([^[\]]{0,1000})\]\([^()]{0,2000}\)/g, '$1')
    .replace(/^[ \t]{0,12}(?:>[ \t]?|#{1,6}[ \t]|[-*+][ \t]){1,12}/gm, '')
    .replace(/[*_`|]+|:?-{2,}:?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  // word by word, because folding changes lengths
  const tokens = plain.split(' ')
  const at = tokens.findIndex((token) => words.some((word) => folded(token).includes(word)))
  if (at < 0) return summary ?? `${plain.slice(0, 2 * around)}${plain.length > 2 * around ? ' …' : ''}`
  let [from, to] = [at, at + 1]
  while (from > 0 && tokens.slice(from, at).join(' ').length < around) from--
  while (to < tokens.length && tokens.slice(at, to).join(' ').length < around) to++
  return `${from > 0 ? '… ' : ''}${tokens.slice(from, to).join(' ')}${to < tokens.length ? ' …' : ''}`
}
