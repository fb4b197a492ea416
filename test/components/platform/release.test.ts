import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const program = new URL('../../support/run/release.ts', import.meta.url).pathname
const manifest = (version: string): string => `${JSON.stringify({ name: 'civigraph', version }, undefined, 2)}\n`
/** A lock file with a dependency that has the same version as the release. */
const lock = (version: string): string => {
  const packages = { '': { version }, 'packages/client': { version }, 'node_modules/other': { version: '2.0.0' } }
  return `${JSON.stringify({ name: 'civigraph', version, packages }, undefined, 2)}\n`
}
const changelog = `# Changelog

## [Unreleased]

### Changed

- **Breaking:** \`a\` is an \`ID\`; declare it.

## [1.0.0] - 2026-01-02

### Added

- Everything.
`

describe('npm run release', () => {
  let folder: string
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim()
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  const commit = (): void => {
    git('add', '--all')
    git('commit', '--quiet', '--message', 'chore: change')
  }
  const release = (...words: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: folder, encoding: 'utf8' })
    return { status, stderr }
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'civigraph-release-'))
    git('init', '--quiet')
    for (const [name, value] of [
      ['user.name', 'Test'],
      ['user.email', 'test@example.org'],
      ['core.hooksPath', '/dev/null'],
    ] as const)
      git('config', name, value)
    for (const file of ['package.json', 'packages/client/package.json']) write(file, manifest('2.0.0-dev'))
    write('package-lock.json', lock('2.0.0-dev'))
    write('README.md', '# Civigraph 2.0.0-dev\n')
    write('CHANGELOG.md', changelog)
    write('schema/supergraph.graphql', 'type Query { now: Int }\n')
    write('schema/rest/a.openapi.json', '{}\n')
    write('schema/released/rest/former.openapi.json', '{}\n')
    write('test/faults/previous-release.json', '{}\n')
    commit()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('commits and tags the release, then starts the next version with the released schemas', () => {
    expect(release('2.0.0')).toEqual({ status: 0, stderr: '' })
    expect(git('log', '--format=%s').split('\n')).toEqual(['chore: start 2.1.0-dev', 'chore: release 2.0.0', 'chore: change'])
    expect(git('status', '--porcelain')).toBe('')
    for (const file of ['package.json', 'packages/client/package.json']) {
      expect(git('show', `v2.0.0:${file}`)).toContain('"version": "2.0.0"')
      expect(read(file)).toBe(manifest('2.1.0-dev'))
    }
    expect(git('show', 'v2.0.0:package-lock.json')).toBe(lock('2.0.0').trim())
    expect(read('package-lock.json')).toBe(lock('2.1.0-dev'))
    expect(git('show', 'v2.0.0:README.md')).toBe('# Civigraph 2.0.0')
    expect(read('CHANGELOG.md')).toMatch(/^# Changelog\n\n## \[Unreleased\]\n\n## \[2\.0\.0\] - \d{4}-\d{2}-\d{2}\n\n### Changed\n/)
    expect(JSON.parse(read('test/faults/previous-release.json'))).toMatchObject({
      release: '2.0.0',
      commit: git('rev-parse', 'v2.0.0^{commit}'),
    })
    expect(git('ls-files', 'schema/released').split('\n')).toEqual([
      'schema/released/rest/a.openapi.json',
      'schema/released/supergraph.graphql',
    ])
  })

  it.each<[string, string, () => void, RegExp]>([
    ['no version', '', () => undefined, /^The version is missing or is not X\.Y\.Z: run "npm run release -- X\.Y\.Z"\.$/],
    ['a dirty tree', '2.0.0', () => write('notes.txt', ''), /^The working tree is not clean \(notes\.txt\): commit or stash/],
    ['a tag that exists', '2.0.0', () => git('tag', 'v2.0.0'), /^Tag v2\.0\.0 exists: choose a later version\.$/],
    ['an earlier version', '1.9.0', () => undefined, /^Version 1\.9\.0 is earlier than 2\.0\.0-dev in package\.json: choose 2\.0\.0/],
    [
      'packages of two versions',
      '2.0.0',
      () => write('packages/client/package.json', manifest('1.9.0')),
      /^packages\/client\/package\.json has version 1\.9\.0/,
    ],
    [
      'no entry',
      '2.0.0',
      () => write('CHANGELOG.md', changelog.replace(/### Changed.*declare it\.\n/s, '')),
      /^CHANGELOG\.md has no entry below/,
    ],
    [
      'a malformed changelog',
      '2.0.0',
      () => write('CHANGELOG.md', changelog.replace('### Changed', '### Edited')),
      /^CHANGELOG\.md:5: "Edited" is no section/,
    ],
    [
      'a breaking change in a minor version',
      '2.1.0',
      () => write('CHANGELOG.md', changelog.replace('[1.0.0]', '[2.0.0]')),
      /^CHANGELOG\.md has breaking changes since 2\.0\.0: release a new major version/,
    ],
  ])('refuses %s with one message and changes nothing', (what, version, change, sentence) => {
    change()
    if (what !== 'a dirty tree' && git('status', '--porcelain') !== '') commit()
    const before = git('rev-parse', 'HEAD')
    const { status, stderr } = release(...(version === '' ? [] : [version]))
    expect([status, stderr.trim().split('\n').length]).toEqual([1, 1])
    expect(stderr.trim()).toMatch(sentence)
    expect(git('rev-parse', 'HEAD')).toBe(before)
  })
})
