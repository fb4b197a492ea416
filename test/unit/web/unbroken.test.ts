import { expect, it } from 'vitest'
import { withMarksKept } from '../../../web/shared/words/words-in.ts'

it('lets no line begin with a mark that French puts a space before', () => {
  expect(withMarksKept('Fait : « oui » ; et vous ? Bien !')).toBe('Fait\u00a0: «\u00a0oui\u00a0»\u00a0; et vous\u00a0? Bien\u00a0!')
  expect(withMarksKept('Done: “yes”; and you? {count} :')).toBe('Done: “yes”; and you? {count}\u00a0:')
})
