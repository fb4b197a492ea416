import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { normalForm, readUrl } from '../../../../foundation/text/normal-form.ts'
import { newExpression } from '../../../../subgraphs/classification/intake/expression-rules.ts'

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
/** marks of two classes in the wrong order: each of the second half is sorted before all of the first */
const marks = (count: number): string => `a${'\u0301'.repeat(count / 2)}${'\u0316'.repeat(count / 2)}`
/** letters that a compatibility form makes marks, between marks of another class */
const hiddenMarks = (count: number): string => `a${'\uff9e\u0334'.repeat(count / 2)}`

const msOf = (work: () => unknown): number => {
  const from = performance.now()
  work()
  return performance.now() - from
}

describe('the normal form of a text', () => {
  it('is that of Unicode for what people write', () => {
    const texts = ['déjà', 'de\u0301ja\u0300', 'ﬁ ① ﷺ ½', 'مُحَمَّد', 'ก็', 'ｶﾞﾞ', `Z${'\u0301\u0316'.repeat(15)}algo`, '']
    for (const text of texts) for (const form of forms) expect(normalForm(text, form)).toBe(text.normalize(form))
  })

  it('takes linear time, and keeps the marks', () => {
    for (const hostile of [marks(400_000), hiddenMarks(400_000)])
      for (const form of forms) {
        let made = ''
        expect(msOf(() => (made = normalForm(hostile, form)))).toBeLessThan(2000)
        expect(made.replaceAll('\u034f', '').length).toBeGreaterThanOrEqual(hostile.length - 1)
      }
  })

  it('is the only one that sources of the platform use', () => {
    const sources = globSync('{demonstration,engines,foundation,gateway,platform,rest-adapters,subgraphs}/**/*.ts')
    const others = sources.filter((file) => /\.normalize\(\s*['"]?(?:NF|form)/.test(readFileSync(file, 'utf8')))
    expect(others.toSorted()).toEqual(['demonstration/documents/machine-readable-lines.ts', 'foundation/text/normal-form.ts'])
  })

  it('does not let an expression of many marks hold other work', () => {
    expect(msOf(() => newExpression({ text: marks(9_000) } as never))).toBeLessThan(200)
    expect(msOf(() => expect(() => newExpression({ text: marks(120_000) } as never)).toThrow('at most 10'))).toBeLessThan(1000)
  })
})

describe('a URL from outside', () => {
  it('is read in linear time', () => {
    expect(readUrl('https://exämple.test/ways?q=é')?.href).toBe('https://xn--exmple-cua.test/ways?q=%C3%A9')
    expect(readUrl('no url')).toBeUndefined()
    for (const host of [marks(200_000), '%CC%81%CC%96'.repeat(100_000), marks(2_000), '%CC%81%CC%96'.repeat(600)]) {
      const text = `https://${host}.test/`
      expect(msOf(() => readUrl(text))).toBeLessThan(100)
    }
    expect(readUrl(`https://${marks(2_000)}.test/`)).toBeUndefined()
  })
})
