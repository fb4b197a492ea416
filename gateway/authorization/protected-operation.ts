import { type GraphQLSchema, visit } from 'graphql'
import type { SelectedOperation } from '../operation/prepared-operation.ts'
import type { Requirement, Requirements } from '../supergraph/authorization-requirements.ts'
import { type AllowedOperation, allowedOperation } from './allowed-operation.ts'
import { annotatedOperation } from './annotated-operation.ts'

/** An operation with its authorization requirements. */
export interface ProtectedOperation {
  /** requirements for all of it */
  readonly requirements: readonly Requirement[]
  /** Returns the part for a caller who does not fulfil these requirements */
  without(unmet: readonly Requirement[]): AllowedOperation
}

/** Collects the requirements of an operation and restricts it for callers. */
export function protectedOperation(schema: GraphQLSchema, requirements: Requirements, selected: SelectedOperation): ProtectedOperation {
  if (requirements.directives.length === 0) return { requirements: [], without: () => ({ operation: selected }) }
  const annotated = annotatedOperation(schema, requirements, selected)
  const all = new Set<Requirement>([...annotated.revealedTypes.values()].flat())
  visit(annotated.definition, {
    Field: (field) => {
      for (const each of annotated.requirementsOf(field)) all.add(each)
    },
  })
  return {
    requirements: [...all],
    without: (unmet) => (unmet.length === 0 ? { operation: selected } : allowedOperation(annotated, new Set(unmet), schema)),
  }
}
