import { z } from 'zod'
import { inputPlace } from '../route/input-place.ts'
import { checkedRequest } from '../route/request-rules.ts'
import type { FileRoute } from '../route/streaming-routes.ts'

const rules = { params: z.object({ token: z.string().meta({ description: 'the last part of an address that reviewImages has given' }) }) }
const Data = z.object({ image: z.object({ id: z.string(), bytes: z.int(), mediaType: z.string() }) })

/** Where `reviewImages` says that an image is: for the person who asked, for a minute, while they have the job claimed; kept by nobody. */
export function reviewImageRoute(): FileRoute {
  return {
    kind: 'file',
    method: 'GET',
    path: '/review/images/:token',
    summary: 'An image of a job under review, at an address that GraphQL’s reviewImages gave',
    description: 'Good for a minute, for the person for whom it was made, while their claim lasts. Never to be cached.',
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
