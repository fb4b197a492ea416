import { decoded, encoded } from './encoded.ts'
import type { OpenApi, Referable } from './openapi.ts'

/** more than that refer to each other in a circle */
const mostSteps = 20

/** What stands where a reference points to; itself, where it is none. Nothing of another document is fetched. @returns undefined where nothing stands there */
export function referred<Thing extends object>(document: OpenApi, thing: Referable<Thing>): Thing | undefined {
  let found: unknown = thing
  for (let steps = 0; isReference(found); steps++) {
    if (steps > mostSteps || !found.$ref.startsWith('#/')) return undefined
    found = found.$ref.slice(2).split('/').map(unescaped).reduce(memberOf, document)
  }
  return found as Thing | undefined
}

const isReference = (thing: unknown): thing is { readonly $ref: string } =>
  typeof thing === 'object' && thing !== null && '$ref' in thing && typeof thing.$ref === 'string'

const unescaped = (name: string): string => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')

const memberOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : undefined

/** `#/components/schemas/Node` of `Node` */
export const referenceTo = (name: string): string => `#/components/schemas/${encoded(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`

/** `Node` of `#/components/schemas/Node` */
export const nameIn = (reference: string): string => unescaped(reference.slice(reference.lastIndexOf('/') + 1))
