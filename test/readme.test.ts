import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultStatus } from '../foundation/http/fault-status.ts'

const project = new URL('../', import.meta.url).pathname
const read = (file: string): string => readFileSync(join(project, file), 'utf8')
const pages = ['README.md', 'CHANGELOG.md', ...globSync(['docs/**/*.md', '*/README.md'], { cwd: project, exclude: ['node_modules'] })]

/** Returns a page without its code blocks, whose lines can look like headings and links. */
const prose = (file: string): string => read(file).replaceAll(/^```.*?^```$/gms, '')

/** Returns the anchors that GitHub derives from the headings of a page. */
const anchorsOf = (file: string): readonly string[] =>
  [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )

/** Returns the problem with a link of a page, or undefined when its target exists. */
function problemOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(join(project, file))) return `${page}: there is no ${file}`
  return anchor === undefined || anchorsOf(file).includes(anchor) ? undefined : `${page}: ${file} has no heading for #${anchor}`
}

describe('the README and the documents', () => {
  it('have a README of at most 150 lines and a page for everything else', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150)
    expect(pages.length).toBeGreaterThan(40)
  })

  it('link only to existing files and headings', () => {
    const problems = pages.flatMap((page) =>
      [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => problemOf(page, link) ?? []),
    )
    expect(problems).toEqual([])
  })

  it('list every page in an index', () => {
    const folders = ['clients', 'components', 'models', 'operations', 'decisions']
    const indices = ['docs/README.md', ...folders.map((folder) => `docs/${folder}/README.md`)].filter((file) =>
      existsSync(join(project, file)),
    )
    const linked = new Set(
      indices.flatMap((page) => [...prose(page).matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => normalize(join(dirname(page), link)))),
    )
    expect(pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !linked.has(page))).toEqual([])
  })

  it('name only existing npm commands', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
    const named = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) => [...read(page).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => `${page}: ${name}`))
    expect(named.filter((each) => scripts[each.slice(each.lastIndexOf(' ') + 1)] === undefined)).toEqual([])
  })

  it('document every npm command that people run', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
    const inside = ['build', 'types', 'compile']
    const commands = Object.keys(scripts).filter((name) => !/^(?:pre|post)/.test(name) && !inside.includes(name))
    const documented = `${read('README.md')}${read('docs/operations/commands.md')}`
    expect(commands.filter((name) => !documented.includes(`npm ${['start', 'test'].includes(name) ? name : `run ${name}`}`))).toEqual([])
  })

  it('name only existing paths of the project', () => {
    const path = /`((?:bin|demonstration|docs|gateway|platform|rest-adapters|schema|subgraphs|test|web)\/[\w./-]*)`/g
    const missing = pages.flatMap((page) =>
      [...prose(page).matchAll(path)]
        .filter(([, named = '']) => !existsSync(join(project, named)))
        .map(([, named = '']) => `${page}: ${named}`),
    )
    expect(missing).toEqual([])
  })

  it('list every fault code with its status', () => {
    const rows = Object.entries(faultStatus).map(([code, status]) => `| \`${code}\` | ${status}`)
    expect(rows.filter((row) => !read('docs/errors.md').includes(row))).toEqual([])
  })

  it('list every violation code', () => {
    const [, codes = ''] = /violationCodes = \[([^\]]*)\]/.exec(read('foundation/validation/violation.ts')) ?? []
    const named = [...codes.matchAll(/'(\w+)'/g)].map(([, code]) => `\`${code}\``)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((code) => !read('docs/errors.md').includes(code))).toEqual([])
  })

  it('map every top-level folder', () => {
    const [, map = ''] = read('README.md').split('## Map of the folders')
    const tops = new Set(globSync('*/', { cwd: project }).map((folder) => folder.replace(/\/$/, '')))
    for (const unmapped of ['node_modules', 'dist', 'bin', 'coverage']) tops.delete(unmapped)
    expect([...tops].filter((folder) => !folder.startsWith('.') && !map.includes(`\`${folder}/`))).toEqual([])
  })
})
