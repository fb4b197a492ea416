import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isInClone, previousRelease } from '../../support/processes/previous-release.ts'
import { released, unannouncedBreaks } from '../../support/run/unannounced-breaks.ts'

const project = new URL('../../../', import.meta.url).pathname
const previous = await previousRelease()
const { commit, release } = previous

describe('a source folder without history, as unpacked from a tarball', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'civigraph-sources-'))
    for (const part of ['CHANGELOG.md', 'schema']) cpSync(join(project, part), join(folder, part), { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const replace = (file: string, from: string, to: string): void => {
    const text = readFileSync(join(folder, file), 'utf8')
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    writeFileSync(join(folder, file), text.replace(from, to))
  }

  it('has no breaking change that the changelog does not list', () => {
    expect(unannouncedBreaks(folder, release)).toEqual([])
  })

  it('is refused for a removed field of the graph that the changelog does not list', () => {
    replace('schema/supergraph.graphql', 'workersActive: Int!', 'workersBusy: Int!')
    expect(unannouncedBreaks(folder, release)).toEqual([expect.stringMatching(/\.workersActive was removed/)])
  })

  it('is refused for a removed REST operation or document that the changelog does not list', () => {
    replace('schema/rest/verification.openapi.json', '"/jobs/ack"', '"/jobs/acknowledge"')
    expect(unannouncedBreaks(folder, release)).toEqual([expect.stringContaining('POST /jobs/ack')])
    rmSync(join(folder, 'schema/rest/exploration.openapi.json'))
    expect(unannouncedBreaks(folder, release).filter((each) => each.startsWith('schema/rest/exploration')).length).toBeGreaterThan(3)
  })

  it('cannot be checked without the schemas of the last release', () => {
    rmSync(join(folder, 'schema', released), { recursive: true })
    expect(() => unannouncedBreaks(folder, release)).toThrow(released)
  })
})

const [proved, about] = isInClone(previous)
  ? [it, 'schema/released/ is what the last release has printed']
  : [it.skip, `schema/released/: SKIPPED, this clone does not hold ${commit}`]
proved(about, () => {
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: project, encoding: 'utf8', maxBuffer: 1e8 })
  const files = git('ls-tree', '-r', '--name-only', commit, 'schema/supergraph.graphql', 'schema/rest/').trim().split('\n')
  expect(files.length).toBeGreaterThan(5)
  for (const file of files)
    expect(readFileSync(join(project, file.replace('schema/', `schema/${released}/`)), 'utf8')).toBe(git('show', `${commit}:${file}`))
})
