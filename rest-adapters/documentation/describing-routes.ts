import type { ComponentName } from '../../foundation/process/build-info.ts'
import { referencePage } from '../../web/reference/page.ts'
import { pageHeaders } from '../../web/serving/page-file.ts'
import { builtPageRoutes } from '../route/page-routes.ts'
import { type FixedRoute, fixedRoute, type Route } from '../route/route.ts'
import { openApiOf } from './openapi.ts'

/** Credentials that `/docs` fills in during development. */
export interface DevelopmentCredentials {
  readonly key?: string
  readonly account?: { readonly email: string; readonly password: string }
}

/**
 * Returns the routes `/openapi.json` and `/docs` of a component, built from its other routes.
 * @param development - credentials for the page; empty outside development
 */
export function describingRoutes(
  component: ComponentName,
  routes: readonly Route[],
  development: DevelopmentCredentials = {},
): readonly FixedRoute[] {
  const describing = (document: string, title: string): readonly FixedRoute[] => [
    fixedRoute({
      path: '/openapi.json',
      summary: 'Returns this document',
      extension: true,
      mediaType: 'application/json',
      content: document,
    }),
    ...builtPageRoutes(referencePage(title), true),
  ]
  const document = openApiOf(component, [...routes, ...describing('', '')])
  return [
    ...describing(JSON.stringify(document), document.info.title),
    fixedRoute({
      path: '/docs/development.json',
      summary: 'Returns the credentials that the documentation page fills in during development',
      partOfPage: true,
      isPublic: false,
      ownPagesOnly: true,
      hasSecrets: true,
      mediaType: 'application/json',
      headers: pageHeaders(),
      content: JSON.stringify(development),
    }),
  ]
}
