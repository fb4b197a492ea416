import { createHash } from 'node:crypto'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { messageOf } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'

/**
 * Decides labels of progressive overrides for an operation. @param labels - labels of its fields
 * @returns those that are on for its caller
 */
export type DecidedLabels = (
  labels: readonly string[],
  context: Pick<RequestContext, 'principal' | 'requestId' | 'address' | 'signal'>,
) => Promise<readonly string[]> | readonly string[]

/** Labels that are on for all requests, or a function that decides. */
export type OverrideLabels = readonly string[] | DecidedLabels

/** Returns the labels of an operation that are on for a request, whose fields come from their new subgraph. */
export type OverrideSwitch = (labels: readonly string[], context: RequestContext) => Promise<readonly string[]> | readonly string[]

/** time limit of a decision */
const decisionMs = 1000

/**
 * Evaluates progressive overrides, `@override(from:, label:)`. `percent(n)` is on for n % of requests by request id, so that repeated requests with
 * the same id have the same result. Other labels are on if listed, or if the function returns them; if it fails or takes more than a second, their
 * fields stay at the old subgraph. @see https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/entities/migrate-fields
 */
export function overrideSwitch(overrides: OverrideLabels): OverrideSwitch {
  const listed = typeof overrides === 'function' ? undefined : new Set(overrides)
  return (labels, context) => {
    const [drawn, named] = [labels.filter((label) => shareOf(label) !== undefined), labels.filter((label) => shareOf(label) === undefined)]
    const on = drawn.filter((label) => isDrawn(label, context.requestId))
    if (typeof overrides !== 'function' || named.length === 0) return [...on, ...named.filter((label) => listed?.has(label))]
    return decided(overrides, named, context).then((labelsOn) => [...on, ...named.filter((label) => labelsOn.includes(label))])
  }
}

async function decided(decide: DecidedLabels, labels: readonly string[], context: RequestContext): Promise<readonly string[]> {
  const { principal, requestId, address, signal } = context
  try {
    const decisionContext = { principal, requestId, signal, ...(address === undefined ? {} : { address }) }
    const timeoutError = (): Error => new Error(`the decision on override labels took longer than ${decisionMs} ms`)
    return await withTimeout(
      Promise.resolve().then(() => decide(labels, decisionContext)),
      decisionMs,
      signal,
      timeoutError,
    )
  } catch (error) {
    context.log.warn({ cause: messageOf(error) }, 'could not decide override labels; their fields stay at the old subgraph')
    return []
  }
}

/** Returns the percentage; undefined for other labels. */
function shareOf(label: string): number | undefined {
  const [, percent] = /^percent\(([\d.]+)\)$/.exec(label) ?? []
  return percent === undefined ? undefined : Number(percent)
}

/** Distributes requests evenly and independently per label. */
function isDrawn(label: string, requestId: string): boolean {
  const digest = createHash('sha256').update(`${label} ${requestId}`).digest()
  return (digest.readUInt32BE(0) / 2 ** 32) * 100 < (shareOf(label) ?? 0)
}
