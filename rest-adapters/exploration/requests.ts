import { z } from 'zod'
import { bbox, domain, inOrder, lang, period, q, sentiment } from '../route/filter-schemas.ts'
import { laxInteger } from '../route/value-schemas.ts'

export const mapQuery = z
  .object({
    bbox: bbox.optional(),
    zoom: laxInteger(0, 22)
      .optional()
      .meta({ type: 'integer', minimum: 0, maximum: 22, description: 'By default the highest zoom that bbox allows' }),
    domain: domain.optional(),
    sentiment: sentiment.optional(),
    lang: lang.optional(),
    q: q.optional(),
    ...period,
  })
  .superRefine(inOrder)

export const statsQuery = z.object({ ...period, domain: domain.optional(), bbox: bbox.optional(), q: q.optional() }).superRefine(inOrder)

export const domainsQuery = z.object({
  lang: lang.optional().meta({ description: 'Returns labels in this language only, if available' }),
  q: q.optional(),
})
