import { nodeIdOf, readNodeId } from '../../foundation/graphql/node-id.ts'
import { isStorableText, isUuid } from '../../foundation/validation/values.ts'
import { entities, type KeyPart } from './entities.ts'

/** An entity by type and key; its own component resolves the other fields. */
export type Reference = Readonly<Record<string, string>> & { readonly __typename: string }

/** Decodes a node id; null when it is malformed. The component decides whether the entity exists and who may see it. */
export function referenceOf(nodeId: string): Reference | null {
  const { type = '', key = [] } = readNodeId(nodeId) ?? {}
  const parts = Object.hasOwn(entities, type) ? entities[type]?.key : undefined
  if (parts === undefined || parts.length !== key.length || !parts.every((part, index) => isKey(part, key[index] ?? ''))) return null
  return { __typename: type, ...Object.fromEntries(parts.map(({ field }, index) => [field, key[index] ?? ''])) }
}

/** Encodes the node id of an entity reference. */
export function nodeIdOfReference(type: string, reference: Readonly<Record<string, unknown>>): string {
  return nodeIdOf(type, ...(entities[type]?.key ?? []).map(({ field }) => String(reference[field])))
}

const isKey = (part: KeyPart, value: string): boolean =>
  value.length > 0 && value.length <= maxKeyLength && isStorableText(value) && (part.isUuid !== true || isUuid(value))

const maxKeyLength = 500
