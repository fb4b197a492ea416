import { createRequire } from 'node:module'
import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import { escapeHtml, type PageFile, pageFile } from '../serving/page-file.ts'

const bundle = 'swagger-ui-dist/swagger-ui-bundle.js'
let loaded: PageFile | undefined

/** The page that shows an OpenAPI document and tries its operations. @param title - of the interface */
export function referencePage(title: string): BuiltPage {
  const { page, files } = builtPage('reference', {
    summary: 'This document as a page, where its operations can be tried',
    path: '/docs',
  })
  // read once for the listeners of a process, two megabytes
  loaded ??= pageFile('/pages/vendor/swagger-ui/swagger-ui-bundle.js', createRequire(import.meta.url).resolve(bundle))
  const content = String(page.content).replace('{title}', () => escapeHtml(title))
  return { page: { ...page, content }, files: [...files, loaded] }
}
