import { createHash } from 'node:crypto'
import { builtScript } from '../serving/built-files.ts'
import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import type { PageFile } from '../serving/page-file.ts'

/** `GET /`: the reader, which walks a tenant's tree one text at a time. */
export const readerPage = (): BuiltPage =>
  builtPage('reader', { summary: 'The reader: a page that walks the tree of this service', sources: { 'worker-src': "'self'" } })

/** What keeps the page and its texts for those without a network: at the root, because it answers for the whole page. */
export function keeperFile({ page, files }: BuiltPage): PageFile {
  const version = createHash('sha256').update(page.content)
  for (const { content } of files) version.update(content)
  const shell = { version: version.digest('base64url'), files: ['/pages/emblem.svg', ...files.map(({ path }) => path)] }
  const content = `self.shell=${JSON.stringify(shell)};\n${builtScript('reader/offline/keeper-script.ts') ?? ''}`
  return { path: '/keeper.js', mediaType: 'text/javascript; charset=utf-8', content }
}
