import type { BuiltPage } from '../../web/serving/built-page.ts'
import { type Page, type PageFile, pageHeaders, sharedPageFiles } from '../../web/serving/page-file.ts'
import { type FixedRoute, fixedRoute, type Route } from './route.ts'

/** Returns the route of a page. @param extension - not in the interface specification */
function pageRoute({ policy, ...page }: Page, extension?: true): FixedRoute {
  return fixedRoute({ ...page, ...(extension && { extension }), headers: pageHeaders(policy) })
}

/** Returns the routes of a built page with its files. @param extension - not in the interface specification */
export function builtPageRoutes({ page, files }: BuiltPage, extension?: true): readonly FixedRoute[] {
  return [pageRoute(page, extension), ...pageParts(files)]
}

/** Returns the routes of the files of a page, without shared ones. */
export function pageParts(files: readonly PageFile[]): readonly FixedRoute[] {
  const summary = 'Part of the page'
  return files.map((file) => fixedRoute({ ...file, summary, headers: pageHeaders(), partOfPage: true }))
}

/** Removes duplicate routes of files that pages of a listener share. */
export function eachFileOnce(routes: readonly Route[]): readonly Route[] {
  const files = new Map(routes.flatMap((route) => (route.kind === 'fixed' ? [[route.path, route] as const] : [])))
  return routes.filter((route) => route.kind !== 'fixed' || files.get(route.path) === route)
}

/** Returns the routes of files that every page loads. */
export function sharedPageRoutes(): readonly FixedRoute[] {
  return pageParts(sharedPageFiles())
}
