import { describe, expect, it } from 'vitest'
import { sentimentExamples } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { lexicalSentiment } from '../../../subgraphs/classification/analysis/sentiment/sentiment-of-words.ts'
import { Sentence } from '../../../subgraphs/classification/data/example-sentences.ts'
import { foldedPattern, Pattern, wholeWords } from '../../../subgraphs/classification/data/pattern.ts'
import { shippedTaxonomy } from '../../../subgraphs/classification/data/shipped-taxonomy.ts'

// importing these modules validates every file against its schema
describe('the data that linguists write', () => {
  it('has a taxonomy in display order', () =>
    expect(shippedTaxonomy.map(({ id }) => id).slice(0, 3)).toEqual(['health', 'education', 'transport']))

  it('has more than ten sentences for each sentiment in each language', () => {
    for (const examples of sentimentExamples)
      for (const bySentiment of Object.values(examples))
        for (const sentences of Object.values(bySentiment)) expect(sentences.length).toBeGreaterThan(10)
  })

  it('refuses a sentence with leading or trailing space', () => expect(Sentence.safeParse('so ').success).toBe(false))
})

describe('a pattern', () => {
  it('is a regular expression in folded letters, escapes excepted', () => {
    expect(foldedPattern('أحسن\\p{L}É')).toEqual(/احسن\p{L}e/u)
  })

  it('combines alternatives, each of which may be a pattern, with a prefix and a suffix', () => {
    const pattern = foldedPattern({ before: '\\b', anyOf: ['grâce', { anyOf: ['mieux', 'pire'], after: ' que' }] }, 'g')
    expect(pattern).toEqual(/\b(?:grace|(?:mieux|pire) que)/gu)
  })

  it('matches whole words only', () => {
    expect(foldedPattern({ wholeWords: ['où', 'ici'] }).source).toBe(wholeWords(['ou', 'ici']))
    expect(foldedPattern({ wholeWords: ['ici'] }).test('voici')).toBe(false)
  })

  it.each([['('], [{ anyOf: ['a', '['] }], [{ anyOf: [] }], [{ wholeWords: ['a'], after: 'b' }], ['{people}'], ['']])(
    'is not %j',
    (pattern) => expect(Pattern.safeParse(pattern).success).toBe(false),
  )
})

describe('the lexicon', () => {
  it.each(['constructor', 'valueOf', 'toString'])('has no entry for %s', (word) =>
    expect(lexicalSentiment(`The ${word} is there`, 'en')).toMatchObject({ score: 0, speaks: false }),
  )
})
