import { expect, it } from 'vitest'
import { labelIn } from '../../../subgraphs/exploration/graphql/exploration.type.ts'

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

it('falls back to French where there is no English label', () => {
  const national = [
    { lang: 'ar', text: 'ماء' },
    { lang: 'fr', text: 'Eau' },
    { lang: 'wo', text: 'Ndox' },
  ]
  expect([labelIn(national, 'en'), labelIn(national, 'wo')]).toEqual(['Eau', 'Ndox'])
})

it('falls back to any label, and to none', () => {
  expect([labelIn([{ lang: 'ar', text: 'ماء' }], 'fr'), labelIn([], 'fr')]).toEqual(['ماء', ''])
})
