import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const web = join(import.meta.dirname, '../../../web')
const Texts = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))
type Texts = z.infer<typeof Texts>

const languages = ['fr', 'en', 'ar'] as const
const folders = globSync('**/{words,*-words}/en.json', { cwd: web }).map((file) => file.replace(/\/en\.json$/, ''))
const textsOf = (folder: string, language: string): Texts =>
  Texts.parse(JSON.parse(readFileSync(join(web, folder, `${language}.json`), 'utf8')))

const formsOf = (text: Texts[string]): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text))
const valuesIn = (text: Texts[string]): readonly string[] =>
  [...new Set(formsOf(text).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))].toSorted()

describe('the words of the pages', () => {
  it('include those of the console and the shared ones', () =>
    expect(folders).toEqual(expect.arrayContaining(['console/words', 'shared/words'])))

  describe.each(folders)('%s', (folder) => {
    const english = textsOf(folder, 'en')

    it.each(languages)('has the same texts in %s as in English, and none of them is empty', (language) => {
      const texts = textsOf(folder, language)
      expect(Object.keys(texts).toSorted()).toEqual(Object.keys(english).toSorted())
      expect(
        Object.entries(texts).filter(([, text]) => formsOf(text).length === 0 || formsOf(text).some((form) => form.trim() === '')),
      ).toEqual([])
    })

    it.each(languages)('has the same placeholders in its %s texts', (language) => {
      const texts = textsOf(folder, language)
      // the plural forms for one and two need not contain the number
      const named = (all: Texts) => Object.entries(all).map(([key, text]) => [key, ...valuesIn(text).filter((name) => name !== 'count')])
      expect(named(texts).toSorted()).toEqual(named(english).toSorted())
    })

    it.each(languages)('has in %s every plural form of the language', (language) => {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
      // "other" replaces forms that are equal
      const incomplete = Object.entries(textsOf(folder, language)).filter(
        ([, text]) =>
          typeof text !== 'string' &&
          (!('other' in text) || Object.keys(text).some((form) => !pluralCategories.some((each) => each === form))),
      )
      expect(incomplete).toEqual([])
    })
  })
})
