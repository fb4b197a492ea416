import { builtFiles, builtHtml } from './built-files.ts'
import { contentSecurityPolicy, escapeHtml, htmlFile, type Page, type PageFile } from './page-file.ts'

/** A page in TypeScript that `npm run build` makes of the folder of its name. */
export interface BuiltPage {
  readonly page: Page
  /** what it loads, each under a name that changes with its content */
  readonly files: readonly PageFile[]
}

export interface BuiltPageOptions {
  /** one sentence, for the list of operations */
  readonly summary: string
  /** (default: the root of the listener) */
  readonly path?: string
  /** what the page is told at the start, as JSON in its head: the page reads it by `shared/frame/facts.ts` */
  readonly facts?: unknown
  /** sources that it needs beside this origin, by directive of the policy */
  readonly sources?: Readonly<Record<string, string>>
}

/** of the one rule that React Aria puts into a page (`touch-action` of what can be pressed): other styles in the page stay without effect */
const pressableRule = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** @param name - of the folder in `web/` */
export function builtPage(name: string, { summary, path = '/', facts, sources = {} }: BuiltPageOptions): BuiltPage {
  const html = builtHtml(name)
  if (html === undefined) {
    const notYet = `<!doctype html><html lang="en"><title>${name}</title><p>This page is not built yet: <code>npm run build</code>.</p>`
    return { page: { ...htmlFile(path, notYet), summary }, files: [] }
  }
  const told = facts === undefined ? '' : `<meta name="facts" content="${escapeHtml(JSON.stringify(facts))}">\n`
  // beside a rule by its hash, 'unsafe-inline' would have no effect
  const policy = contentSecurityPolicy({ 'style-src': pressableRule, ...sources })
  const content = html.replace('</head>', () => `${told}</head>`)
  return { page: { ...htmlFile(path, content), summary, policy }, files: builtFiles(name) }
}
