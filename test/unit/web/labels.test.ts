import { expect, it } from 'vitest'
import { labelIn } from '../../../web/shared/words/words-in.ts'

const national = [
  { lang: 'ar', text: 'ماء' },
  { lang: 'fr', text: 'Eau' },
  { lang: 'wo', text: 'Ndox' },
]

it('shows a label in the language of the page, else in English, in French, or the first one', () => {
  expect(labelIn('ar', national)).toBe('ماء')
  // a country without English labels
  expect(labelIn('en', national)).toBe('Eau')
  expect(labelIn('en', [...national, { lang: 'en', text: 'Water' }])).toBe('Water')
  expect(labelIn('en', national.slice(0, 1))).toBe('ماء')
  expect(labelIn('en', [])).toBeUndefined()
})
