import type { BuiltPage } from '../../web/serving/built-page.ts'
import { type Page, type PageFile, pageHeaders, sharedPageFiles } from '../../web/serving/page-file.ts'
import { type FixedRoute, fixed } from './fixed-route.ts'
import type { Route } from './route.ts'

/** A page as an operation of its component. @param extension - the interface specification has no such page */
function pageRoute({ policy, ...page }: Page, extension?: true): FixedRoute {
  return fixed({ ...page, ...(extension && { extension }), headers: pageHeaders(policy) })
}

/** A page that the build makes, with what it loads. @param extension - the interface specification has no such page */
export function builtPageRoutes({ page, files }: BuiltPage, extension?: true): readonly FixedRoute[] {
  return [pageRoute(page, extension), ...pageParts(files)]
}

/** What a page loads, besides what all pages share. */
export function pageParts(files: readonly PageFile[]): readonly FixedRoute[] {
  const summary = 'Part of the page'
  return files.map((file) => fixed({ ...file, summary, headers: pageHeaders(), partOfPage: true }))
}

/** Pages of one listener load some of the same files. */
export function eachFileOnce(routes: readonly Route[]): readonly Route[] {
  const files = new Map(routes.flatMap((route) => (route.kind === 'fixed' ? [[route.path, route] as const] : [])))
  return routes.filter((route) => route.kind !== 'fixed' || files.get(route.path) === route)
}

/** What every page of every component loads. */
export function sharedPageRoutes(): readonly FixedRoute[] {
  return pageParts(sharedPageFiles())
}
