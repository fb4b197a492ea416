import type { ExecutionResult } from 'graphql'
import type { Answer } from '../../../gateway/execution/incremental/answer.ts'
import { deferSpec20220824, payloadsOf } from '../../../gateway/execution/incremental/payloads.ts'
import { isObject } from './compared-answers.ts'

type Step = string | number

/** A result of `deferSpec=20220824` on the wire. */
export interface Payload extends Pick<ExecutionResult, 'data' | 'extensions'> {
  readonly errors?: readonly { readonly message: string; readonly path?: readonly Step[]; readonly extensions: Record<string, unknown> }[]
  readonly hasNext?: boolean
  readonly incremental?: readonly (Omit<Payload, 'incremental' | 'hasNext'> & { readonly path: readonly Step[]; readonly label?: string })[]
}

/** Every result of a response, as JSON. */
export async function payloads(answer: Answer): Promise<readonly Payload[]> {
  const all: Payload[] = []
  for await (const payload of payloadsOf(answer, deferSpec20220824)) all.push(JSON.parse(JSON.stringify(payload)))
  return all
}

/**
 * Merges incremental results. @returns the final data, and the path of each result
 * @throws {Error} for a result whose path is not in an earlier one
 */
export function merged([first, ...others]: readonly Payload[]): {
  readonly data: unknown
  readonly errors: NonNullable<Payload['errors']>
} {
  const data = structuredClone(first?.data)
  const errors = [...(first?.errors ?? [])]
  for (const { incremental = [] } of others)
    for (const part of incremental) {
      const place = part.path.reduce<unknown>((here, step) => (isObject(here) ? here[step] : undefined), data)
      if (!isObject(place)) throw new Error(`nothing is at ${part.path.join('.')}`)
      if (isObject(part.data)) mergeInto(place, part.data)
      errors.push(...(part.errors ?? []))
    }
  return { data, errors }
}

function mergeInto(place: Record<Step, unknown>, part: Record<Step, unknown>): void {
  for (const [name, value] of Object.entries(part)) {
    const present = place[name]
    if (isObject(present) && isObject(value)) mergeInto(present, value)
    else place[name] = structuredClone(value)
  }
}
