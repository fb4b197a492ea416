import { type GraphQLSchema, visit } from 'graphql'
import type { Requirement, Requirements } from '../supergraph/requirement.ts'
import { type AllowedOperation, allowedOperation } from './allowed-operation.ts'
import { type Asked, annotatedOperation } from './annotated-operation.ts'

/** An operation with its authorization requirements. */
export interface ProtectedOperation {
  /** requirements for all of it */
  readonly requirements: readonly Requirement[]
  /** Returns the part for a caller who does not fulfil these requirements */
  without(unmet: readonly Requirement[]): AllowedOperation
}

/** Collects the requirements of an operation and restricts it for callers. */
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
