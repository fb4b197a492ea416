import type { ComponentName } from '../../subgraphs/foundation/component-names.ts'
import { pageHeaders } from '../../web/shared/page-file.ts'
import { type FixedRoute, fixed } from '../route/fixed-route.ts'
import type { Route } from '../route/route.ts'
import { documentationPage } from './documentation-page.ts'
import { openApiOf } from './openapi.ts'

/** `/openapi.json` and `/docs` of a component, made from its other routes. */
export function describingRoutes(component: ComponentName, routes: readonly Route[]): readonly FixedRoute[] {
  const describing = (document: string, docs: string): readonly FixedRoute[] => [
    fixed({
      path: '/openapi.json',
      summary: 'This document',
      extension: true,
      mediaType: 'application/json',
      content: document,
    }),
    fixed({
      path: '/docs',
      summary: 'This document as a page',
      extension: true,
      mediaType: 'text/html; charset=utf-8',
      headers: pageHeaders(),
      content: docs,
    }),
  ]
  const document = openApiOf(component, [...routes, ...describing('', '')])
  return describing(JSON.stringify(document), documentationPage(document))
}
