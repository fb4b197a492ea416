import { z } from 'zod'
import { checkedRequest, inputPlace } from '../route/request-rules.ts'
import type { FileRoute } from '../route/streaming-routes.ts'

const rules = {
  params: z.object({ erasure_id: z.guid().meta({ description: 'The id of the erasure' }) }),
  query: z.object({
    lang: z.enum(['en', 'fr', 'ar']).optional().meta({ default: 'en', description: 'Language of the certificate' }),
  }),
}
const Data = z.object({ certificate: z.object({ id: z.string(), bytes: z.int() }) })

/** Serves the certificate of a completed erasure of a citizen to a super_admin; never cached. */
export function erasureCertificateRoute(): FileRoute {
  return {
    kind: 'file',
    method: 'GET',
    path: '/citizens/erasures/:erasure_id/certificate',
    summary: 'Returns the certificate of a completed erasure of a citizen as PDF',
    description: 'Lists what was erased, and what remains and why. 409 while the erasure runs. Responses must not be cached.',
    extension: true,
    caller: 'admin',
    wantsToken: true,
    credentials: ['accessToken'],
    rules,
    placeOf: inputPlace({ rules }),
    vary: ['Authorization'],
    operation: `query RestErasureCertificate($id: ID!, $lang: String!) {
      certificate: erasureCertificate(erasureId: $id, lang: $lang) { id bytes }
    }`,
    variablesOf(request) {
      const { params, query } = checkedRequest(rules, request)
      return { id: params.erasure_id, lang: query.lang ?? 'en' }
    },
    fileOf: (data, { id }) => ({ ...Data.parse(data).certificate, name: `erasure-${id}.pdf`, headers: {} }),
    mediaType: 'application/pdf',
    timeoutMs: 60_000,
  }
}
