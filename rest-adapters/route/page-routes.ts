import { type Page, type PageFile, pageHeaders, sharedPageFiles } from '../../web/shared/page-file.ts'
import { type FixedRoute, fixed } from './fixed-route.ts'

/** A page as an operation of its component. @param extension - the interface specification has no such page */
export function pageRoute(page: Page, extension?: true): FixedRoute {
  return fixed({ ...page, ...(extension && { extension }), headers: pageHeaders() })
}

/** What a page loads, besides what all pages share. */
export function pageParts(files: readonly PageFile[]): readonly FixedRoute[] {
  return files.map((file) => fixed({ ...file, summary: 'Part of the page', headers: pageHeaders(), partOfPage: true }))
}

/** What every page of every component loads. */
export function sharedPageRoutes(): readonly FixedRoute[] {
  return pageParts(sharedPageFiles())
}
