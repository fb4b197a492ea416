import { z } from 'zod'
import { documentedPath, type FixedRoute, fixed, type OneRoute, one, type Route } from '../../rest-adapters/route/route.ts'
import { escapeHtml, pageFile, pageHeaders } from '../shared/page-file.ts'

const folder = 'web/verification'
const scripts = ['main', 'figures', 'form', 'result', 'service', 'words']

/** `GET /`: what this service is, its queue, its operations, and a form to try it. */
export function verificationPage(operations: readonly Route[]): FixedRoute {
  const { content, ...file } = pageFile('/', `${folder}/page.html`)
  const rows = operations.map(row).join('\n          ')
  const summary = 'Page about the service: live figures of its queue, its operations, a form to try it'
  return fixed({ ...file, summary, headers: pageHeaders(), content: content.replace('<!-- endpoints -->', () => rows) })
}

/** What the page loads, besides what all pages share. */
export function verificationPageFiles(): readonly FixedRoute[] {
  return scripts.map((name) =>
    fixed({
      ...pageFile(`/pages/verification/${name}.js`, `${folder}/${name}.js`),
      summary: 'Part of the page',
      headers: pageHeaders(),
      partOfPage: true,
    }),
  )
}

function row({ method, path, summary, caller }: Route): string {
  const address = escapeHtml(documentedPath(path))
  // What needs neither key nor parameter can be looked at right here.
  const shown = method === 'GET' && caller === 'anyone' && !path.includes(':') ? `<a href="${address}">${address}</a>` : address
  const key = caller === 'service' ? ' <span class="mark">key</span>' : ''
  return `<tr><th scope="row"><span class="method">${method}</span> <code>${shown}</code></th><td>${escapeHtml(summary)}${key}</td></tr>`
}

const Figures = z
  .object({
    depth: z.int().meta({ description: 'jobs that wait for their turn' }),
    processing: z.int().meta({ description: 'jobs being verified' }),
    ready: z.int().meta({ description: 'results that nobody has acknowledged yet' }),
    workers: z.int().meta({ description: 'worker processes with a sign of life in the last 15 s' }),
  })
  .meta({ id: 'QueueFigures' })

/** `GET /figures`, for the page: numbers that anyone may see. */
export function figuresRoute(): OneRoute {
  return one({
    method: 'GET',
    path: '/figures',
    summary: 'Figures of the queue',
    extension: true,
    operation: 'query RestFigures { queue: verificationQueue { depth processing ready workers: workersActive } }',
    from: z.object({ queue: Figures }).transform(({ queue }) => queue),
    answer: Figures,
  })
}
