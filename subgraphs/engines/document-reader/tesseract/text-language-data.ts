import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const languages = ['fra', 'eng'] as const
export type Language = (typeof languages)[number]

/** Where the package of a language keeps its data. @throws when it is not installed */
export function languageFile(language: Language): string {
  const folder = dirname(createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`))
  const file = join(folder, '4.0.0_best_int', `${language}.traineddata.gz`)
  statSync(file)
  return file
}

export interface LinkedLanguageData {
  readonly folder: string
  remove(): void
}

/** tesseract.js takes one folder for all languages, the packages have one each: a folder of links, until `remove` or the end of the process. */
export function linkLanguageData(): LinkedLanguageData {
  const files = languages.map((language) => [language, languageFile(language)] as const)
  const folder = mkdtempSync(join(tmpdir(), 'language-data-'))
  for (const [language, file] of files) symlinkSync(file, join(folder, `${language}.traineddata.gz`))
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { folder, remove }
}
