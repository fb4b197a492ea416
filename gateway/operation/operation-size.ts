import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'
import { isDefer } from './deferred-fragments.ts'
import { fragmentsOf } from './fragments.ts'

/** The size of an operation, counted after its fragments are expanded. */
export interface OperationSize {
  /** nested fields */
  readonly depth: number
  readonly fields: number
  readonly rootFields: number
  readonly aliases: number
  readonly directives: number
  /** deferred fragments */
  readonly defers: number
}

const empty: OperationSize = { depth: 0, fields: 0, rootFields: 0, aliases: 0, directives: 0, defers: 0 }

/** Returns the number of fields of all operations of a document, with its fragments expanded. */
export const fieldCount = (document: DocumentNode): number => operationSizes(document).reduce((sum, { fields }) => sum + fields, 0)

/** Returns the size of each operation of a document, with its fragments expanded. */
export function operationSizes(document: DocumentNode): readonly OperationSize[] {
  const fragments = fragmentsOf(document)
  const measured = new Map<string, OperationSize | 'measuring'>()

  const sizeOfFragment = (name: string): OperationSize => {
    const measure = measured.get(name)
    // A cyclic or missing fragment counts nothing: validation refuses the document.
    if (measure === 'measuring') return empty
    if (measure !== undefined) return measure
    const fragment = fragments.get(name)
    if (fragment === undefined) return empty
    measured.set(name, 'measuring')
    const size = sizeOf(fragment.selectionSet)
    measured.set(name, size)
    return size
  }
  const sizeOf = (set: SelectionSetNode): OperationSize => {
    const size = { ...empty }
    for (const selection of set.selections) {
      size.directives += selection.directives?.length ?? 0
      size.defers += selection.directives?.filter(isDefer).length ?? 0
      if (selection.kind === Kind.FIELD) {
        const inner = selection.selectionSet === undefined ? empty : sizeOf(selection.selectionSet)
        size.depth = Math.max(size.depth, inner.depth + 1)
        size.fields += inner.fields + 1
        size.rootFields += 1
        size.aliases += inner.aliases + (selection.alias === undefined ? 0 : 1)
        size.directives += inner.directives
        size.defers += inner.defers
      } else {
        const inner = selection.kind === Kind.INLINE_FRAGMENT ? sizeOf(selection.selectionSet) : sizeOfFragment(selection.name.value)
        size.depth = Math.max(size.depth, inner.depth)
        size.fields += inner.fields
        size.rootFields += inner.rootFields
        size.aliases += inner.aliases
        size.directives += inner.directives
        size.defers += inner.defers
      }
    }
    return size
  }

  return document.definitions
    .filter((definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION)
    .map((operation) => {
      const size = sizeOf(operation.selectionSet)
      return { ...size, directives: size.directives + (operation.directives?.length ?? 0) }
    })
}
