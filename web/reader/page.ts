import { createHash } from 'node:crypto'
import { builtScript } from '../serving/built-files.ts'
import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import type { PageFile } from '../serving/page-file.ts'

/** `GET /`: the reader, which shows a tenant's texts one at a time. */
export const readerPage = (): BuiltPage =>
  builtPage('reader', { summary: 'The reader: a page that walks the tree of this service', sources: { 'worker-src': "'self'" } })

/** Serves the service worker at the root, because its scope is the whole page. */
export function offlineWorkerFile({ page, files }: BuiltPage): PageFile {
  const version = createHash('sha256').update(page.content)
  for (const { content } of files) version.update(content)
  const shell = { version: version.digest('base64url'), files: ['/pages/emblem.svg', ...files.map(({ path }) => path)] }
  const content = `self.shell=${JSON.stringify(shell)};\n${builtScript('reader/offline/offline-worker.ts') ?? ''}`
  return { path: '/keeper.js', mediaType: 'text/javascript; charset=utf-8', content }
}
