import type { TemplateModel } from '../duplicates/face-template.ts'
import { type Check, checkOf } from './check.ts'
import type { DuplicateEvidence } from './evidence.ts'
import { type Finding, review } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'

/** Returns the Euclidean distance up to which two selfies may show the same person; for unit vectors it follows from the cosine. */
export const duplicateLine = (model: TemplateModel, { duplicateLikeness, duplicateDistance }: Thresholds): number =>
  model === 'sface' ? Math.sqrt(2 - 2 * duplicateLikeness) : duplicateDistance

/**
 * Checks whether the selfie resembles another citizen of the same tenant. Contains counts and distances only; reviewers see the citizens.
 * @returns no check when the search is off
 */
export function checkDuplicates(
  duplicates: DuplicateEvidence | undefined,
  thresholds: Thresholds,
): { readonly check?: Check; readonly findings: readonly Finding[] } {
  if (duplicates === undefined) return { findings: [] }
  const { searched, model, isWhole } = duplicates
  const line = duplicateLine(model, thresholds)
  const near = duplicates.hits.filter(({ distance }) => distance <= line)
  const facts = { searched, found: near.length, nearest: near[0]?.distance, line, model }
  if (near.length > 0) return { check: checkOf('consider', facts), findings: [review('possible_duplicate')] }
  const note = isWhole ? undefined : 'the search did not cover all citizens'
  return { check: checkOf(isWhole ? 'clear' : 'unidentified', { ...facts, note }), findings: [] }
}
