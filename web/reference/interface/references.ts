import type { OpenApi, Referable } from './openapi.ts'

/** Encodes a text for an address; lone surrogates become U+FFFD. */
export const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))

/** Decodes a text; returns it unchanged when it cannot be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** a longer chain of references is a circle */
const maxSteps = 20

/**
 * Resolves a reference within the document; returns other values unchanged.
 * @returns undefined for a missing target or another document
 */
export function referred<Thing extends object>(document: OpenApi, thing: Referable<Thing>): Thing | undefined {
  let target: unknown = thing
  for (let steps = 0; isReference(target); steps++) {
    if (steps > maxSteps || !target.$ref.startsWith('#/')) return undefined
    target = target.$ref.slice(2).split('/').map(unescaped).reduce(memberOf, document)
  }
  return target as Thing | undefined
}

const isReference = (thing: unknown): thing is { readonly $ref: string } =>
  typeof thing === 'object' && thing !== null && '$ref' in thing && typeof thing.$ref === 'string'

const unescaped = (name: string): string => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')

const memberOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : undefined

/** Returns `#/components/schemas/Node` for `Node`. */
export const referenceTo = (name: string): string => `#/components/schemas/${encoded(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`

/** Returns `Node` for `#/components/schemas/Node`. */
export const nameIn = (reference: string): string => unescaped(reference.slice(reference.lastIndexOf('/') + 1))
