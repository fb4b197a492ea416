import { describe, expect, it } from 'vitest'
import { containsText, isTextViolation, readTextQuery, textOfQuery } from '../../../../foundation/text/text-query.ts'

const query = (q: string) => {
  const read = readTextQuery(q)
  return isTextViolation(read) ? expect.fail(read.message) : read
}

describe('a text query', () => {
  it.each([
    ['Électricité  COUPÉE', 'coupee electricite'],
    ['coupée électricité coupée', 'coupee electricite'],
    ['the road is closed', 'closed road'],
    ['"the road" closed', 'closed "the road"'],
    ['« coupure d’eau »', '"coupure d eau"'],
    ['“water” leak', 'leak water'],
    ['الكهرباء في القرية', 'قريه كهرباء'],
    ['"" water', 'water'],
  ])('reads %s in its normal form', (q, expected) => expect(textOfQuery(query(q))).toBe(expected))

  it.each([
    ['x'.repeat(10_000), 'too_long', '500'],
    ['the "and', 'unpaired_quotation_mark', 'quotation mark'],
    ['le la les', 'only_stop_words', 'stop word'],
    ['"the"', 'only_stop_words', 'stop word'],
    ['', 'only_stop_words', 'stop word'],
    ['?! …', 'only_stop_words', 'stop word'],
    [Array.from({ length: 33 }, (_, n) => `w${n}`).join(' '), 'too_many', '32'],
  ])('refuses %s', (q, code, sentence) => {
    const read = readTextQuery(q, ['filter', 'q'])
    expect(read).toMatchObject({ code, path: ['filter', 'q'] })
    expect(isTextViolation(read) ? read.message : '').toContain(sentence)
  })

  it.each([
    ['L’électricité est COUPÉE.', 'coupee electricite', true],
    ['Routes coupées', 'coupee', false],
    ['La route, coupée à Thiès', '"route coupee"', true],
    ['La coupée route', '"route coupee"', false],
    ['La route est coupée', '"route coupee"', false],
    ['انقطعت الكهرباء', 'كهرباء', true],
  ])('compares %s with %s', (text, q, expected) => {
    expect(containsText(query(q), text)).toBe(expected)
    expect(containsText(query(q), 'another text')).toBe(false)
    expect(containsText(query(q), text)).toBe(expected)
  })
})
