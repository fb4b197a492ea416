import { expect, it } from 'vitest'
import { withMarksKept } from '../../../web/shared/words/words-in.ts'

it('starts no line with a punctuation mark that follows a space in French', () => {
  expect(withMarksKept('Fait : « oui » ; et vous ? Bien !')).toBe('Fait\u00a0: «\u00a0oui\u00a0»\u00a0; et vous\u00a0? Bien\u00a0!')
  expect(withMarksKept('Done: “yes”; and you? {count} :')).toBe('Done: “yes”; and you? {count}\u00a0:')
})
