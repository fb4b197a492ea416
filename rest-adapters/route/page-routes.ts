import { type Page, type PageFile, pageHeaders, sharedPageFiles } from '../../web/shared/page-file.ts'
import { type FixedRoute, fixed } from './fixed-route.ts'

/** A page as an operation of its component. @param extension - the interface specification has no such page */
export function pageRoute({ policy, ...page }: Page, extension?: true): FixedRoute {
  return fixed({ ...page, ...(extension && { extension }), headers: pageHeaders(policy) })
}

/** What a page loads, besides what all pages share. @param isNamedByContent - so that browsers need never ask again */
export function pageParts(files: readonly PageFile[], isNamedByContent = false): readonly FixedRoute[] {
  const summary = 'Part of the page'
  return files.map((file) =>
    fixed({ ...file, summary, headers: pageHeaders(), partOfPage: true, ...(isNamedByContent && { isNamedByContent }) }),
  )
}

/** What every page of every component loads. */
export function sharedPageRoutes(): readonly FixedRoute[] {
  return pageParts(sharedPageFiles())
}
