import type { Library } from '../../shared/content/text/library.ts'
import { readSubtree, readText } from './content-service.ts'

/** The texts of a tenant as this service's REST tells them: they can be read without a network. */
export const readerLibrary = (tenant: string): Library => ({
  tenant,
  readText: (id, reading) => readText(tenant, id, reading),
  readSubtree: (id) => readSubtree(tenant, id),
})
