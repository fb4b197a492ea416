import { createHash } from 'node:crypto'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { messageOf } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'

/**
 * Decides on labels of progressive overrides for one operation.
 * @param labels - those that its fields have   @returns those of them that are on for its caller
 */
export type DecidedLabels = (
  labels: readonly string[],
  context: Pick<RequestContext, 'principal' | 'requestId' | 'address' | 'signal'>,
) => Promise<readonly string[]> | readonly string[]

/** Labels that are on for everybody, or what decides on them. */
export type OverrideLabels = readonly string[] | DecidedLabels

/** Those of an operation's labels whose fields come from their new subgraph, for one request. */
export type OverrideSwitch = (labels: readonly string[], context: RequestContext) => Promise<readonly string[]> | readonly string[]

/** longest time that labels may take to be decided on */
const decisionMs = 1000

/**
 * Progressive overrides, `@override(from:, label:)`. `percent(n)` is on for n of 100 requests, by their ids: what is asked for one request,
 * and one that is sent again under the same id, is answered alike. Any other label is on when it is listed here, for all, or where the
 * function says so; while that fails, or takes longer than a second, its fields stay where they were.
 * @see https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/entities/migrate-fields
 */
export function overrideSwitch(given: OverrideLabels): OverrideSwitch {
  const listed = typeof given === 'function' ? undefined : new Set(given)
  return (labels, context) => {
    const [drawn, named] = [labels.filter((label) => shareOf(label) !== undefined), labels.filter((label) => shareOf(label) === undefined)]
    const on = drawn.filter((label) => isDrawn(label, context.requestId))
    if (typeof given !== 'function' || named.length === 0) return [...on, ...named.filter((label) => listed?.has(label))]
    return decided(given, named, context).then((labelsOn) => [...on, ...named.filter((label) => labelsOn.includes(label))])
  }
}

async function decided(decide: DecidedLabels, labels: readonly string[], context: RequestContext): Promise<readonly string[]> {
  const { principal, requestId, address, signal } = context
  try {
    const asked = { principal, requestId, signal, ...(address === undefined ? {} : { address }) }
    const late = (): Error => new Error(`it took longer than ${decisionMs} ms`)
    return await withTimeout(
      Promise.resolve().then(() => decide(labels, asked)),
      decisionMs,
      signal,
      late,
    )
  } catch (error) {
    context.log.warn({ cause: messageOf(error) }, 'labels of overrides cannot be decided on; their fields stay where they were')
    return []
  }
}

/** of 100 requests; undefined for a label that is no share */
function shareOf(label: string): number | undefined {
  const [, percent] = /^percent\(([\d.]+)\)$/.exec(label) ?? []
  return percent === undefined ? undefined : Number(percent)
}

/** Spread evenly over requests, and apart for each label. */
function isDrawn(label: string, requestId: string): boolean {
  const digest = createHash('sha256').update(`${label} ${requestId}`).digest()
  return (digest.readUInt32BE(0) / 2 ** 32) * 100 < (shareOf(label) ?? 0)
}
