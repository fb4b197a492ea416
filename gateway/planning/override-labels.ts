import { createHash } from 'node:crypto'

/** Whether the field that a label marks comes from its new subgraph, for one request. */
export type OverrideSwitch = (label: string, requestId: string) => boolean

/**
 * Progressive overrides, `@override(from:, label:)`. `percent(n)` is on for n of 100 requests, by their ids: what is asked for one request,
 * and one that is sent again under the same id, is answered alike. Any other label is on when it is listed here, for all.
 * @see https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/entities/migrate-fields
 */
export function overrideSwitch(listed: readonly string[]): OverrideSwitch {
  const on = new Set(listed)
  return (label, requestId) => {
    const [, percent] = /^percent\(([\d.]+)\)$/.exec(label) ?? []
    return percent === undefined ? on.has(label) : drawn(label, requestId) < Number(percent)
  }
}

/** From 0 to below 100, spread evenly over requests and apart for each label. */
function drawn(label: string, requestId: string): number {
  const digest = createHash('sha256').update(`${label} ${requestId}`).digest()
  return (digest.readUInt32BE(0) / 2 ** 32) * 100
}
