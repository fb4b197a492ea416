import { type GraphQLSchema, visit } from 'graphql'
import { type AllowedOperation, allowedOperation } from './allowed-operation.ts'
import { type Asked, annotatedOperation } from './annotated-operation.ts'
import type { Requirement, Requirements } from './requirement.ts'

/** An operation, and what protects parts of it. */
export interface ProtectedOperation {
  /** what its caller must fulfil to see all of it */
  readonly requirements: readonly Requirement[]
  /** what is left of it for a caller who does not fulfil these */
  without(unmet: readonly Requirement[]): AllowedOperation
}

/** What protects an operation, and what of it callers may see. */
export function protectedOperation(schema: GraphQLSchema, requirements: Requirements, asked: Asked): ProtectedOperation {
  if (requirements.directives.length === 0) return { requirements: [], without: () => ({ asked }) }
  const operation = annotatedOperation(schema, requirements, asked)
  const all = new Set<Requirement>([...operation.toldTypes.values()].flat())
  visit(operation.definition, {
    Field: (field) => {
      for (const each of operation.requirementsOf(field)) all.add(each)
    },
  })
  return {
    requirements: [...all],
    without: (unmet) => (unmet.length === 0 ? { asked } : allowedOperation(operation, new Set(unmet), schema)),
  }
}
