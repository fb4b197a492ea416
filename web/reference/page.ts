import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { escapeHtml, htmlFile, type PageFile, pageFile, textOf } from '../serving/page-file.ts'

/** The page that shows an OpenAPI document and tries its operations. @param title - of the interface */
export function referencePage(title: string): PageFile {
  return htmlFile(
    '/docs',
    textOf('web/reference/reference.html').replace('<!-- title -->', () => escapeHtml(title)),
  )
}

let loaded: readonly PageFile[] | undefined

/** What the page loads, besides what all pages share: read once for the listeners of a process, two megabytes. */
export function referencePageFiles(): readonly PageFile[] {
  loaded ??= [
    ...['reference.js', 'sign-in.js', 'reference.css'].map((name) => pageFile(`/pages/${name}`, `web/reference/${name}`)),
    ...['swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => pageFile(`/pages/vendor/swagger-ui/${name}`, join(swaggerFolder(), name))),
  ]
  return loaded
}

const swaggerFolder = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
