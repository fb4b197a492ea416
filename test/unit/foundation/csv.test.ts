import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { csvRow, csvText } from '../../../foundation/files/csv.ts'
import { csvOf as csvOfPages } from '../../../web/components/csv.ts'

type Rows = readonly (readonly (string | number)[])[]

describe.each<[string, (rows: Rows) => string]>([
  ['the server', (rows) => rows.map(csvRow).join('')],
  ['the pages', csvOfPages],
])('CSV of %s', (_, csvOf) => {
  const cell = (text: string): string => csvOf([[text]]).slice(0, -2)

  it('ends each row with CRLF, and does not quote plain text', () => {
    expect(
      csvOf([
        ['id', 'città'],
        ['1', 'é日本مرحبا'],
      ]),
    ).toBe('id,città\r\n1,é日本مرحبا\r\n')
  })

  it.each([
    ['a,b', '"a,b"'],
    ['a;b', '"a;b"'],
    ['a\tb', '"a\tb"'],
    ['a|b', '"a|b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' blank ', '" blank "'],
  ])('quotes %j, which contains a possible separator', (text, expected) => {
    expect(cell(text)).toBe(expected)
  })

  it.each(['=', '+', '-', '@', '＝', '＋', '－', '＠'])('prevents text that starts with %s from being a formula', (sign) => {
    expect(cell(`${sign}1+1`)).toBe(`'${sign}1+1`)
    expect(cell(`  ${sign}1`)).toBe(`"  '${sign}1"`)
    expect(cell(`\ufeff${sign}1`)).toBe(`"\ufeff'${sign}1"`)
    expect(cell(`a${sign}1`)).toBe(`a${sign}1`)
  })

  it.each([',', ';', '\t', '\n', '\r', '|'])('prevents text after %j from being a formula in its own cell', (separator) => {
    expect(cell(`a${separator}=1+1`)).toBe(`"a${separator}'=1+1"`)
    expect(cell(`a${separator} "-1`)).toBe(`"a${separator} ""'-1"`)
  })

  it.each(['\t=1', '\rtext', '\ttext'])('keeps %j, which starts with a control character, as text', (text) => {
    expect(cell(text)).toMatch(/^"'[\t\r]/)
  })

  it('keeps the apostrophes of a text before its own', () => {
    expect(cell("'=1;''-1")).toBe(`"''=1;'''-1"`)
  })

  it('writes numbers as numbers, also negative ones', () => {
    expect(csvOf([[-5, 0, 1.5, '-5']])).toBe("-5,0,1.5,'-5\r\n")
  })

  it('takes linear time for any text', () => {
    const started = performance.now()
    for (const piece of ['\t', '"', ' ', ';=', '=']) expect(cell(piece.repeat(200_000)).length).toBeGreaterThan(200_000)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

it('is read as it was written, except spaces at the ends', () => {
  const texts = ["'=1;''-1", '\t=1', "'\t+1", "''\r@", '=a;=b', 'l’eau, - 5', "l'eau - 5 'x'", "'x", '"=1"', 'a|＝1', '']
  const read = parse(texts.map((text) => csvRow([text, 'x'])).join(''), { record_delimiter: '\r\n' })
  expect(read.map(([cell = '']) => csvText(cell))).toEqual(texts)
})

it('leaves the cell of null empty', () => {
  expect(csvRow([null, 'a', null])).toBe(',a,\r\n')
})
