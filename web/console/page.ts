import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../../subgraphs/foundation/process/build-info.ts'
import { contentSecurityPolicy, type Page, type PageFile, pageFile } from '../shared/page-file.ts'

/** what `npm run build` makes of the sources beside this file */
const made = 'dist/pages/console'
const assets = `${made}/assets`
const summary = 'The console: health, reviews, verifications, citizens, expressions, delegations and the audit trail'
const isMade = (): boolean => existsSync(join(projectFolder, made, 'index.html'))

/** of the one rule that React Aria puts into a page (`touch-action` of what can be pressed): other styles in the page stay without effect */
const pressableRule = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** `GET /`: the console of those who run the platform. */
export function consolePage(): Page {
  if (isMade()) return { ...pageFile('/', `${made}/index.html`), summary, policy: contentSecurityPolicy({ 'style-src': pressableRule }) }
  const content = '<!doctype html><html lang="en"><title>Console</title><p>The console is not built yet: <code>npm run build</code>.</p>'
  return { path: '/', mediaType: 'text/html; charset=utf-8', content, summary }
}

/** What the page loads, each under a name that changes with its content. */
export function consolePageFiles(): readonly PageFile[] {
  if (!isMade()) return []
  return readdirSync(join(projectFolder, assets)).map((name) => pageFile(`/pages/console/assets/${name}`, `${assets}/${name}`))
}
