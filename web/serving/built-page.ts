import { builtFiles, builtHtml } from './built-files.ts'
import { contentSecurityPolicy, escapeHtml, htmlFile, type Page, type PageFile } from './page-file.ts'

/** A page that `npm run build` builds from the folder of its name. */
export interface BuiltPage {
  readonly page: Page
  /** its files, under names with content hashes */
  readonly files: readonly PageFile[]
}

export interface BuiltPageOptions {
  /** one sentence, for the list of operations */
  readonly summary: string
  /** (default: the root of the listener) */
  readonly path?: string
  /** facts that the server embeds in the page as JSON; the page reads them with `shared/frame/facts.ts` */
  readonly facts?: unknown
  /** sources besides this origin, by directive of the content security policy */
  readonly sources?: Readonly<Record<string, string>>
}

/** hash of the one style rule that React Aria inserts (`touch-action` of pressable elements); the policy blocks other inline styles */
const pressableRule = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** @param name - of the folder in `web/` */
export function builtPage(name: string, { summary, path = '/', facts, sources = {} }: BuiltPageOptions): BuiltPage {
  const html = builtHtml(name)
  if (html === undefined) {
    const notYet = `<!doctype html><html lang="en"><title>${name}</title><p>This page is not built yet: <code>npm run build</code>.</p>`
    return { page: { ...htmlFile(path, notYet), summary }, files: [] }
  }
  const factsElement = facts === undefined ? '' : `<meta name="facts" content="${escapeHtml(JSON.stringify(facts))}">\n`
  // a hash disables 'unsafe-inline'
  const policy = contentSecurityPolicy({ 'style-src': pressableRule, ...sources })
  const content = html.replace('</head>', () => `${factsElement}</head>`)
  return { page: { ...htmlFile(path, content), summary, policy }, files: builtFiles(name) }
}
