import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Prints THIRD-PARTY-NOTICES.md: the packages of a production installation by licence, from package-lock.json.
 *
 * usage: third-party-notices.ts [--check]
 *
 * With --check it writes nothing and fails if the file is out of date.
 */
interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
}

const project = join(import.meta.dirname, '..')
const target = join(project, 'THIRD-PARTY-NOTICES.md')
const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }

/** Licences of packages without one in package.json, read from the files of the package. */
const licencesInFiles: Readonly<Record<string, string>> = { 'base-64': 'MIT', 'json-bignum': 'MIT', 'xmlhttprequest-ssl': 'MIT' }

const byLicence = new Map<string, Set<string>>()
for (const [path, { version, license, dev, link }] of Object.entries(lock.packages)) {
  const name = path.split('node_modules/').at(-1) ?? ''
  // platform-specific builds have the licence of the main package
  const isBuild = license === undefined && /-(?:android|darwin|freebsd|linux|win32)-/.test(name)
  if (!path.includes('node_modules/') || dev === true || link === true || isBuild) continue
  const licence = license ?? licencesInFiles[name] ?? 'not stated'
  byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(`${name} ${version}`))
}

const elastic = [...(byLicence.get('Elastic-2.0') ?? [])].toSorted()
byLicence.delete('Elastic-2.0')
const lines = [
  '# Third-party notices',
  '',
  'Civigraph is licensed under Apache-2.0 (see LICENSE). An installation for production contains these packages, each under its own licence;',
  'the text of each is in the folder of the package. `npm run notices` prints this file from `package-lock.json`.',
  '',
  '## Elastic License 2.0',
  '',
  'These packages are not open source in the sense of the Open Source Initiative. The Elastic License 2.0 does not allow you to offer them to',
  'others as a hosted or managed service that gives access to a substantial part of their features. Check it before you sell Civigraph, or the',
  'gateway alone, as a service.',
  '',
  ...elastic.map((each) => `- ${each}`),
  '',
  ...[...byLicence]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([licence, packages]) => [`## ${licence}`, '', [...packages].toSorted().join(', '), '']),
]
const text = lines.join('\n')

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('THIRD-PARTY-NOTICES.md differs from package-lock.json: run `npm run notices`\n')
  process.exitCode = 1
}
