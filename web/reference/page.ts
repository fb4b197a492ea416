import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import { escapeHtml } from '../serving/page-file.ts'

/** Returns the page for an OpenAPI document. @param title - of the API */
export function referencePage(title: string): BuiltPage {
  const { page, files } = builtPage('reference', {
    summary: 'This document as a page, where its operations can be tried',
    path: '/docs',
  })
  const content = String(page.content).replace('{title}', () => escapeHtml(title))
  return { page: { ...page, content }, files }
}
