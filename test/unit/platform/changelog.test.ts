import { describe, expect, it } from 'vitest'
import { breakingEntriesSince, parseChangelog } from '../../support/run/changelog.ts'

const wellFormed = `# Changelog

A sentence about it.

## [Unreleased]

### Removed

- **Breaking:** \`Thing.name\` removed;
  use \`Thing.title\`.

### Changed

- **Breaking:** \`Thing.id\` is an \`ID\`; declare variables as \`ID\`.
- Faster.

## [1.1.0] - 2026-02-03

### Fixed

- A failure.

## [1.0.0] - 2026-01-02

### Added

- Everything.
`

describe('a changelog', () => {
  it('in the format of Keep a Changelog lists releases and entries, newest first', () => {
    const { releases, problems } = parseChangelog(wellFormed)
    expect(problems).toEqual([])
    expect(releases.map(({ version, entries }) => [version, entries.length])).toEqual([
      ['Unreleased', 3],
      ['1.1.0', 1],
      ['1.0.0', 1],
    ])
    expect(releases[0]?.entries[0]).toEqual({ line: 9, text: '**Breaking:** `Thing.name` removed; use `Thing.title`.' })
  })

  it('announces breaking changes with the removed names', () => {
    expect(breakingEntriesSince('1.1.0', wellFormed)).toEqual([
      { names: new Set(['Thing.name', 'Thing.title']), removed: new Set(['Thing.name']) },
      { names: new Set(['Thing.id', 'ID']), removed: new Set() },
    ])
    expect(() => breakingEntriesSince('0.9.0', wellFormed)).toThrow('CHANGELOG.md does not list release 0.9.0: add its heading')
  })

  it.each([
    ['## [Unreleased]', '## 2.0.0, not released', 5, /write "## \[Unreleased\]" or "## \[X\.Y\.Z\] - YYYY-MM-DD"/],
    ['## [1.1.0] - 2026-02-03', '## [Unreleased]', 17, /move it to the top/],
    ['## [1.1.0] - 2026-02-03', '## [1.1.0]', 17, /is no release heading/],
    ['### Fixed', '### Repaired', 19, /is no section; use "### Removed"/],
    ['### Changed', '### Removed', 12, /appears twice; merge/],
    ['### Removed', '### Security', 12, /"### Changed" follows "### Security"; the order is/],
    ['- A failure.\n', '', 19, /has no entry; add one or remove the heading/],
    ['### Fixed\n\n', '', 19, /is in no section; put it below a heading/],
    ['- Everything.', 'Everything.', 27, /the text is no entry; start it with "- "/],
    ['- A failure.', '- **Breaking:** `a` removed; use `b`.', 21, /is in "### Removed" or "### Changed"; move the entry there/],
    ['- Faster.', '- Faster.\n- **Breaking:** `a` removed; use `b`.', 16, /breaking changes come first/],
    ['- Faster.', '- breaking: faster', 15, /write "\*\*Breaking:\*\* " at the start/],
    ['`Thing.id` is an `ID`; declare variables as `ID`.', 'ids changed; send others.', 14, /names nothing; put/],
    ['`ID`; declare variables as `ID`.', '`ID`.', 14, /has no migration; add it after a semicolon/],
  ])('is refused with %j replaced by %j, with the line and the correction', (from, to, line, correction) => {
    expect(wellFormed).toContain(from)
    const malformed = wellFormed.replace(from, to)
    const { problems } = parseChangelog(malformed)
    const problem = problems.find((each) => each.startsWith(`CHANGELOG.md:${line}: `)) ?? problems.join('\n')
    expect(problem).toMatch(/^CHANGELOG\.md:\d+: [^\n]+\.$/)
    expect(problem).toMatch(correction)
    expect(() => breakingEntriesSince('1.0.0', malformed)).toThrow(problem)
  })
})
