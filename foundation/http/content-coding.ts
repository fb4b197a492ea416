import Negotiator from 'negotiator'

/** Content codings of responses (RFC 9110, section 8.4), best first. */
const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** Minimum size in bytes: below it the response headers outweigh the saving. */
export const minCompressedBytes = 1024

/** Text, and WebAssembly: no streams, and nothing that its format compresses already. */
const compressibleTypes = /^(?:text\/(?!event-stream)|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|graphql|javascript|wasm)\b)/i

export const isCompressible = (mediaType: string): boolean => compressibleTypes.test(mediaType)

/** Returns the codings that an Accept-Encoding header prefers to identity, best first (RFC 9110, section 12.5.3). */
export function acceptedCodings(acceptEncoding: string | undefined): readonly Coding[] {
  if (acceptEncoding === undefined) return []
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  const accepted = negotiator.encodings([...codings, 'identity'], { preferred: codings })
  const identity = accepted.indexOf('identity')
  return accepted.slice(0, identity < 0 ? undefined : identity).flatMap((name) => codings.find((coding) => coding === name) ?? [])
}

/** Returns the entity tag of content in a coding. */
export const codedEntityTag = (etag: string, coding: Coding): string => etag.replace(/"$/, `-${coding}"`)
