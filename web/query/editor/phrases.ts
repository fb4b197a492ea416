import { useMemo } from 'preact/hooks'
import { useWords } from '../words/words.tsx'

/** Phrases of CodeMirror, by its English originals: `$` is replaced by a number. */
const keyOfPhrase = {
  Find: 'phrase.find',
  Replace: 'phrase.replace-by',
  next: 'phrase.next',
  previous: 'phrase.previous',
  all: 'phrase.all',
  'match case': 'phrase.match-case',
  regexp: 'phrase.regexp',
  'by word': 'phrase.by-word',
  replace: 'phrase.replace',
  'replace all': 'phrase.replace-all',
  close: 'close',
  'current match': 'phrase.current-match',
  'on line': 'phrase.on-line',
  'Go to line': 'phrase.go-to-line',
  go: 'phrase.go',
  Completions: 'phrase.completions',
  Diagnostics: 'phrase.diagnostics',
  'No diagnostics': 'phrase.no-diagnostics',
  'Folded lines': 'phrase.folded-lines',
  'Unfolded lines': 'phrase.unfolded-lines',
  to: 'phrase.to',
  'folded code': 'phrase.folded-code',
  unfold: 'phrase.unfold',
  'Fold line': 'phrase.fold-line',
  'Unfold line': 'phrase.unfold-line',
  'Control character': 'phrase.control-character',
} as const

export function usePhrases(): Readonly<Record<string, string>> {
  const { word } = useWords()
  return useMemo(() => Object.fromEntries(Object.entries(keyOfPhrase).map(([phrase, key]) => [phrase, word(key)])), [word])
}
