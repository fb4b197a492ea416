import { escapeHtml, htmlFile, type Page, type PageFile, pageFile, textOf } from '../serving/page-file.ts'

const folder = 'web/verification'
const scripts = ['main', 'drawn-citizens', 'form', 'photograph', 'queue-metrics', 'result', 'service', 'words']

/** An operation as the page lists it. */
export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly summary: string
  /** whether a browser may look at it right here: it needs neither key nor parameter */
  readonly isShown: boolean
  readonly needsKey: boolean
}

/** `GET /`: what this service is, its queue, its operations, and a form to try it. */
export function verificationPage(operations: readonly ListedOperation[]): Page {
  const rows = operations.map(row).join('\n          ')
  const summary = 'Page about the service: live metrics of its queue, its operations, a form to try it'
  return {
    ...htmlFile(
      '/',
      textOf(`${folder}/page.html`).replace('<!-- endpoints -->', () => rows),
    ),
    summary,
  }
}

/** What the page loads, besides what all pages share. */
export function verificationPageFiles(): readonly PageFile[] {
  return scripts.map((name) => pageFile(`/pages/verification/${name}.js`, `${folder}/${name}.js`))
}

function row({ method, path, summary, isShown, needsKey }: ListedOperation): string {
  const address = escapeHtml(path)
  const shown = isShown ? `<a href="${address}">${address}</a>` : address
  const key = needsKey ? ' <span class="mark">key</span>' : ''
  return `<tr><th scope="row"><span class="method">${method}</span> <code>${shown}</code></th><td>${escapeHtml(summary)}${key}</td></tr>`
}
