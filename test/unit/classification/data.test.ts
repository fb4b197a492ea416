import { describe, expect, it } from 'vitest'
import { sentimentExamples } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { lexicalSentiment } from '../../../subgraphs/classification/analysis/sentiment/sentiment-of-words.ts'
import { Sentence } from '../../../subgraphs/classification/data/example-sentences.ts'
import { foldedPattern, Pattern, wholeWords } from '../../../subgraphs/classification/data/pattern.ts'
import { shippedTaxonomy } from '../../../subgraphs/classification/data/shipped-taxonomy.ts'

// loading these modules has held every file against its schema
describe('what linguists write', () => {
  it('is a taxonomy whose domains are named as their files', () =>
    expect(shippedTaxonomy.map(({ id }) => id).slice(0, 3)).toEqual(['health', 'education', 'transport']))

  it('is sentences of each sentiment in each language', () => {
    for (const examples of sentimentExamples)
      for (const bySentiment of Object.values(examples))
        for (const sentences of Object.values(bySentiment)) expect(sentences.length).toBeGreaterThan(10)
  })

  it('is refused when a sentence has a space around it', () => expect(Sentence.safeParse('so ').success).toBe(false))
})

describe('a pattern', () => {
  it('is a regular expression, folded but for its escapes', () => {
    expect(foldedPattern('أحسن\\p{L}É')).toEqual(/احسن\p{L}e/u)
  })

  it('is alternatives, of which each may be a pattern, between what stands around them', () => {
    const pattern = foldedPattern({ before: '\\b', anyOf: ['grâce', { anyOf: ['mieux', 'pire'], after: ' que' }] }, 'g')
    expect(pattern).toEqual(/\b(?:grace|(?:mieux|pire) que)/gu)
  })

  it('is whole words', () => {
    expect(foldedPattern({ wholeWords: ['où', 'ici'] }).source).toBe(wholeWords(['ou', 'ici']))
    expect(foldedPattern({ wholeWords: ['ici'] }).test('voici')).toBe(false)
  })

  it.each([['('], [{ anyOf: ['a', '['] }], [{ anyOf: [] }], [{ wholeWords: ['a'], after: 'b' }], ['{people}'], ['']])(
    'is not %j',
    (pattern) => expect(Pattern.safeParse(pattern).success).toBe(false),
  )
})

describe('the lexicon', () => {
  it.each(['constructor', 'valueOf', 'toString'])('knows nothing of %s', (word) =>
    expect(lexicalSentiment(`The ${word} is there`, 'en')).toMatchObject({ score: 0, speaks: false }),
  )
})
