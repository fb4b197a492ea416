/** A breaking change that the changelog announces. */
export interface BreakingEntry {
  /** all names in backquotes */
  readonly names: ReadonlySet<string>
  /** the names of what was removed: those in a clause with the word `removed` */
  readonly removed: ReadonlySet<string>
}

interface Entry {
  readonly line: number
  text: string
}

interface Section {
  readonly name: string
  readonly line: number
  readonly entries: Entry[]
}

interface Release {
  readonly version: string
  readonly entries: readonly Readonly<Entry>[]
}

const sectionNames = ['Removed', 'Changed', 'Added', 'Deprecated', 'Fixed', 'Security', 'Operators']
const sectionsWithBreaks = ['Removed', 'Changed']
const releaseHeading = /^## \[(?:(Unreleased)\]|(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2})$/
const breaking = '**Breaking:** '

/**
 * Returns the breaking changes that the changelog announces above a release.
 * @throws {Error} if the changelog is malformed, one line for each problem, or does not list the release
 */
export function breakingEntriesSince(release: string, changelog: string): readonly BreakingEntry[] {
  const { releases, problems } = parseChangelog(changelog)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const index = releases.findIndex(({ version }) => version === release)
  if (index === -1) throw new Error(`CHANGELOG.md does not list release ${release}: add its heading "## [${release}] - YYYY-MM-DD".`)
  return releases
    .slice(0, index)
    .flatMap(({ entries }) => entries)
    .filter(({ text }) => text.startsWith(breaking))
    .map(({ text }) => {
      // `page` of `GET /things` removed: the operation stays
      const removals = clausesOf(text).flatMap((clause) => (/\bremoved\b/.test(clause) ? clause.replace(/\bof `[^`]+`/g, '') : []))
      return { names: namesIn(text), removed: namesIn(removals.join('\n')) }
    })
}

/** Parses a changelog in the form of Keep a Changelog 1.1; problems name the line and the correction. */
export function parseChangelog(changelog: string): { readonly releases: readonly Release[]; readonly problems: readonly string[] } {
  const releases: { version: string; sections: Section[] }[] = []
  const problems: string[] = []
  const report = (line: number, problem: string): void => void problems.push(`CHANGELOG.md:${line}: ${problem}`)
  for (const [index, text] of changelog.split('\n').entries()) {
    const line = index + 1
    const release = releases.at(-1)
    const section = release?.sections.at(-1)
    const entry = section?.entries.at(-1)
    if (text.startsWith('## ')) {
      const [, unreleased, version] = releaseHeading.exec(text) ?? []
      if (unreleased === undefined && version === undefined)
        report(line, `"${text}" is no release heading; write "## [Unreleased]" or "## [X.Y.Z] - YYYY-MM-DD".`)
      if (release === undefined && unreleased === undefined)
        report(line, 'the first release is not "## [Unreleased]"; add that heading above.')
      if (release !== undefined && unreleased !== undefined) report(line, '"## [Unreleased]" is not the first release; move it to the top.')
      releases.push({ version: version ?? 'Unreleased', sections: [] })
    } else if (text.trim() === '' || release === undefined) {
      // the introduction is free text
    } else if (text.startsWith('#')) release.sections.push({ name: text.replace(/^### /, ''), line, entries: [] })
    else if (text.startsWith('- ') && section !== undefined) section.entries.push({ line, text: text.slice(2) })
    else if (text.startsWith('- ')) report(line, 'the entry is in no section; put it below a heading such as "### Added".')
    else if (text.startsWith('  ') && entry !== undefined) entry.text += ` ${text.trim()}`
    else report(line, 'the text is no entry; start it with "- ", or indent it by two spaces to continue the entry above.')
  }
  if (releases.length === 0) report(1, 'there is no release; add "## [Unreleased]".')
  for (const { sections } of releases) {
    for (const [index, section] of sections.entries()) {
      const problem = headingProblem(section, sections[index - 1])
      if (problem !== undefined) report(section.line, problem)
      for (const [at, entry] of section.entries.entries()) {
        const entryProblem = problemOf(entry, section, section.entries[at - 1])
        if (entryProblem !== undefined) report(entry.line, entryProblem)
      }
    }
  }
  const withEntries = releases.map(({ version, sections }) => ({ version, entries: sections.flatMap(({ entries }) => entries) }))
  return { releases: withEntries, problems }
}

function headingProblem({ name, entries }: Section, above: Section | undefined): string | undefined {
  if (!sectionNames.includes(name)) return `"${name}" is no section; use ${sectionNames.map((each) => `"### ${each}"`).join(', ')}.`
  if (entries.length === 0) return `"### ${name}" has no entry; add one or remove the heading.`
  if (above?.name === name) return `"### ${name}" appears twice; merge its entries.`
  if (above !== undefined && sectionNames.indexOf(name) < sectionNames.indexOf(above.name))
    return `"### ${name}" follows "### ${above.name}"; the order is ${sectionNames.join(', ')}.`
  return undefined
}

function problemOf({ text }: Entry, section: Section, above: Entry | undefined): string | undefined {
  if (!text.startsWith(breaking)) return /breaking:/i.test(text) ? `write "${breaking}" at the start of the entry.` : undefined
  if (sectionNames.includes(section.name) && !sectionsWithBreaks.includes(section.name))
    return 'a breaking change is in "### Removed" or "### Changed"; move the entry there.'
  if (above !== undefined && !above.text.startsWith(breaking)) return 'breaking changes come first in a section; move the entry up.'
  if (namesIn(text).size === 0) return 'the entry names nothing; put what the breaking change affects in backquotes.'
  if (clausesOf(text).length < 2) return 'the breaking change has no migration; add it after a semicolon, as in "; use `newName`".'
  return undefined
}

const clausesOf = (text: string): readonly string[] => text.split(/[.;](?:\s|$)/).filter((clause) => clause.trim() !== '')

const namesIn = (text: string): ReadonlySet<string> => new Set([...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
