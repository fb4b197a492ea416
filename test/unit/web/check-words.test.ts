import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const project = join(import.meta.dirname, '../../..')
const folder = 'subgraphs/verification/checks'
const sources = globSync(`${folder}/*.ts`, { cwd: project }).map((file) => readFileSync(join(project, file), 'utf8'))

/** The names of check parts in the sources of the checks. */
const parts = [...new Set(sources.flatMap((source) => [...source.matchAll(/\b(?:named|judge)\('(\w+)'/g)].map(([, name = '']) => name)))]
/** Keys with an underscore in the measures of the checks, which need a label. */
const measures = [
  ...new Set(sources.flatMap((source) => [...source.matchAll(/\b([a-z]+_[a-z_]+):(?! \[)/g)].map(([, key = '']) => key))),
].filter((key) => key !== 'check_digit')

describe.each(['fr', 'en', 'ar'])('the checks of a verification in %s', (language) => {
  const texts: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(project, 'web/shared/verification/words', `${language}.json`), 'utf8'),
  )

  it('have a name for each part', () => {
    expect(parts.length).toBeGreaterThan(10)
    expect(parts.filter((name) => texts[`part.${name}`] === undefined)).toEqual([])
  })

  it('have a label for each measure whose key is not a word', () => {
    expect(measures.length).toBeGreaterThan(10)
    expect(measures.filter((key) => texts[`measure.${key}`] === undefined)).toEqual([])
  })
})
