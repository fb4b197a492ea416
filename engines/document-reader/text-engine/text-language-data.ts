import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const required = ['fra', 'eng'] as const
/** used if their packages are installed */
const optional = ['ara'] as const
export type Language = (typeof required)[number] | (typeof optional)[number]

/** Returns the data file of a language package. @throws if it is not installed */
export function languageFile(language: Language): string {
  const folder = dirname(createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`))
  const file = join(folder, '4.0.0_best_int', `${language}.traineddata.gz`)
  statSync(file)
  return file
}

function optionalFiles(): readonly (readonly [Language, string])[] {
  return optional.flatMap((language) => {
    try {
      return [[language, languageFile(language)] as const]
    } catch {
      return []
    }
  })
}

export interface LinkedLanguageData {
  readonly folder: string
  readonly languages: readonly Language[]
  remove(): void
}

/** Links the data of all languages into one folder, as tesseract.js requires; removed by `remove` or at the end of the process. */
export function linkLanguageData(): LinkedLanguageData {
  const files = [...required.map((language) => [language, languageFile(language)] as const), ...optionalFiles()]
  const folder = mkdtempSync(join(tmpdir(), 'language-data-'))
  for (const [language, file] of files) symlinkSync(file, join(folder, `${language}.traineddata.gz`))
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { folder, languages: files.map(([language]) => language), remove }
}
