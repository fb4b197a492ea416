import type { Library } from '../../shared/content/text/library.ts'
import { readSubtree, readText } from './content-service.ts'

/** Reads the texts of a tenant over REST, which the service worker can cache. */
export const readerLibrary = (tenant: string): Library => ({
  tenant,
  readText: (id, reading) => readText(tenant, id, reading),
  readSubtree: (id) => readSubtree(tenant, id),
})
