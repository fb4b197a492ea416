import { expect, it } from 'vitest'
import { labelIn } from '../../../subgraphs/exploration/graphql/label.ts'

const labels = [
  { lang: 'fr', text: 'Eau' },
  { lang: 'en', text: 'Water' },
  { lang: 'pt-BR', text: 'Água' },
]

it.each([
  ['fr', 'Eau'],
  ['FR', 'Eau'],
  ['fr-SN', 'Eau'],
  ['pt-br', 'Água'],
  // neither this language nor its primary one
  ['wo', 'Water'],
  ['', 'Water'],
])('the label in "%s" is %s', (lang, text) => {
  expect(labelIn(labels, lang)).toBe(text)
})

it('falls back to any label, and to none', () => {
  expect([labelIn([{ lang: 'ar', text: 'ماء' }], 'fr'), labelIn([], 'fr')]).toEqual(['ماء', ''])
})
