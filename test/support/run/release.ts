import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseChangelog } from './changelog.ts'

/**
 * `npm run release -- X.Y.Z`: commits and tags a release of a clean working tree, then commits the start of the next version.
 * Pushes nothing; each failure is one sentence with the next step, and leaves the tree as it was.
 */
const [version = ''] = process.argv.slice(2)
const manifests = ['package.json', ...globSync('packages/*/package.json').toSorted()]
const documents = ['README.md', 'packages/civigraph-client/README.md', 'docs/gateway/comparison.md', 'deploy/kubernetes/kustomization.yaml']
const previousRelease = 'test/faults/previous-release.json'

interface Lock {
  version: string
  readonly packages: Readonly<Record<string, { version?: string }>>
}

const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
const read = (file: string): string => readFileSync(file, 'utf8')
const versionOf = (file: string): string => (JSON.parse(read(file)) as { readonly version: string }).version
const current = versionOf('package.json')
const [base = '', preRelease] = current.split('-', 2)
const isEarlier = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0

/** Returns one sentence if the release cannot be made. */
function problem(): string | undefined {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return 'The version is missing or is not X.Y.Z: run "npm run release -- X.Y.Z".'
  const [changed] = git('status', '--porcelain').split('\n')
  if (changed) return `The working tree is not clean (${changed.slice(2).trim()}): commit or stash the change, then run it again.`
  if (git('tag', '--list', `v${version}`) !== '') return `Tag v${version} exists: choose a later version.`
  if (preRelease === undefined) return `package.json has version ${current}, which is no pre-release: set it to ${version}-dev and commit.`
  if (isEarlier(version, base)) return `Version ${version} is earlier than ${current} in package.json: choose ${base} or a later version.`
  const other = manifests.find((file) => versionOf(file) !== current)
  if (other !== undefined) return `${other} has version ${versionOf(other)} and package.json ${current}: set both to the same version.`
  const { releases, problems } = parseChangelog(read('CHANGELOG.md'))
  if (problems.length > 0) return problems.join('\n')
  const [unreleased, last] = releases
  if (unreleased === undefined || unreleased.entries.length === 0)
    return 'CHANGELOG.md has no entry below "## [Unreleased]": describe what changed since the last release.'
  const isBreaking = unreleased.entries.some(({ text }) => text.startsWith('**Breaking:**'))
  if (isBreaking && last?.version.split('.')[0] === version.split('.')[0])
    return `CHANGELOG.md has breaking changes since ${last?.version}: release a new major version instead of ${version}.`
  return undefined
}

/** Sets the version of our packages, of their entries in the lock file, and in the documents that show it. */
function setVersion(from: string, to: string): void {
  for (const file of manifests) writeFileSync(file, read(file).replace(`"version": "${from}"`, `"version": "${to}"`))
  const lock = JSON.parse(read('package-lock.json')) as Lock
  lock.version = to
  for (const [name, entry] of Object.entries(lock.packages)) if (name === '' || name.startsWith('packages/')) entry.version = to
  writeFileSync('package-lock.json', `${JSON.stringify(lock, undefined, 2)}\n`)
  const shown = new RegExp(`(?<=Civigraph |civigraph-client-|this gateway, |newTag: )${from.replaceAll('.', '\\.')}(?![\\w-])`, 'g')
  for (const file of documents.filter(existsSync)) writeFileSync(file, read(file).replace(shown, to))
}

function release(): void {
  const date = new Date().toISOString().slice(0, 10)
  setVersion(current, version)
  writeFileSync('CHANGELOG.md', read('CHANGELOG.md').replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`))
  git('commit', '--all', '--message', `chore: release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Civigraph ${version}`)
  // names the release commit, so it needs a commit of its own
  rmSync('schema/released', { recursive: true, force: true })
  for (const part of ['supergraph.graphql', 'rest']) cpSync(`schema/${part}`, `schema/released/${part}`, { recursive: true })
  const details = { commit: git('rev-parse', 'HEAD'), release: version, main: 'dist/platform/main.js', removed: [] }
  writeFileSync(previousRelease, `${JSON.stringify(details, undefined, 2)}\n`)
  const [major, minor] = version.split('.').map(Number)
  const next = `${major}.${(minor ?? 0) + 1}.0-dev`
  setVersion(version, next)
  git('add', '--all')
  git('commit', '--message', `chore: start ${next}`)
  process.stdout.write(`released ${version}; push it with "git push --follow-tags"\n`)
}

const refusal = problem()
if (refusal === undefined) release()
else process.stderr.write(`${refusal}\n`)
process.exitCode = refusal === undefined ? 0 : 1
