import { escaped, page } from '../html.ts'
import { documentedPath, type FixedRoute, fixed, type Route } from '../route.ts'

/** `GET /`: what this service is and where its operations are. */
export function landingRoute(operations: readonly Route[]): FixedRoute {
  const rows = operations.map(
    ({ method, path, summary, caller }) =>
      `<tr><td><code>${method} ${escaped(documentedPath(path))}</code><td>${escaped(summary)}<td>${caller === 'service' ? 'X-Service-API-Key' : ''}`,
  )
  return fixed({
    path: '/',
    summary: 'Page that names the service and its operations',
    mediaType: 'text/html; charset=utf-8',
    content: page(
      'Biometric verification service',
      `<h1>Biometric verification service</h1>
<p>Accepts identity verifications (a selfie, an identity document, a declared identity), runs them in the background, and keeps each result until it is acknowledged.</p>
<table>
<tr><th>Operation<th>What it does<th>Needs
${rows.join('\n')}
</table>
<p><a href="/docs">Documentation</a>, <a href="/openapi.json">OpenAPI document</a>, <a href="/health">health</a>.</p>`,
    ),
  })
}
