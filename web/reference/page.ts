import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import { escapeHtml } from '../serving/page-file.ts'

/** The page that shows an OpenAPI document. @param title - of the interface */
export function referencePage(title: string): BuiltPage {
  const { page, files } = builtPage('reference', {
    summary: 'This document as a page, where its operations can be tried',
    path: '/docs',
  })
  const content = String(page.content).replace('{title}', () => escapeHtml(title))
  return { page: { ...page, content }, files }
}
