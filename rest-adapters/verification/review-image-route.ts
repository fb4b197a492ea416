import { z } from 'zod'
import { checkedRequest, inputPlace } from '../route/request-rules.ts'
import type { FileRoute } from '../route/streaming-routes.ts'

const rules = { params: z.object({ token: z.string().meta({ description: 'The last segment of a path that reviewImages returned' }) }) }
const Data = z.object({ image: z.object({ id: z.string(), bytes: z.int(), mediaType: z.string() }) })

/** Serves the paths of `reviewImages`: for the reviewer who requested them, for one minute, while their claim lasts; never cached. */
export function reviewImageRoute(): FileRoute {
  return {
    kind: 'file',
    method: 'GET',
    path: '/review/images/:token',
    summary: 'Returns an image of a job under review, at a path that reviewImages of the GraphQL API returned',
    description: 'Valid for one minute, for the reviewer who requested it, while their claim lasts. Responses must not be cached.',
    extension: true,
    caller: 'admin',
    wantsToken: true,
    credentials: ['accessToken'],
    rules,
    placeOf: inputPlace({ rules }),
    vary: ['Authorization'],
    operation: 'query RestReviewImage($token: ID!) { image: reviewImage(token: $token) { id bytes mediaType } }',
    variablesOf: (request) => checkedRequest(rules, request).params,
    fileOf: (data) => ({ ...Data.parse(data).image, name: 'image', headers: {} }),
    mediaType: 'image/*',
    timeoutMs: 30_000,
  }
}
