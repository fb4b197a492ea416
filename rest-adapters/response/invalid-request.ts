import { excerpt } from '../../foundation/validation/values.ts'
import { echoOf } from '../json/echo.ts'
import type { WrittenJson } from '../json/python-json.ts'

export type Location = readonly (string | number)[]

/** An entry of `detail` of a refusal: the documented ValidationError, with the refused value as written. */
export interface InvalidEntry {
  readonly type: string
  readonly loc: Location
  readonly msg: string
  readonly input?: WrittenJson
  readonly ctx?: Readonly<Record<string, unknown>>
}

/** A request that violates the documented rules: 422 with the HTTPValidationError of the reference implementation. */
export class InvalidRequest extends Error {
  readonly entries: readonly InvalidEntry[]
  constructor(entries: readonly InvalidEntry[]) {
    super('the request is not valid')
    this.name = 'InvalidRequest'
    this.entries = entries
  }
}

/** Creates a custom issue of a rule: `context.addIssue(ownIssue({ type: 'int_parsing', msg: '…' }))`. */
export function ownIssue(entry: Omit<InvalidEntry, 'loc' | 'input'>): { code: 'custom'; params: Readonly<Record<string, unknown>> } {
  return { code: 'custom', params: { entry } }
}

/** Maximum entries per response: 100 jobs with only invalid members have 1,300. */
export const maxEntries = 2000
/** Maximum characters that a response echoes: requests may be megabytes. */
export const maxEchoed = 256 * 1024
/** Maximum characters serialised for echoes, including dropped ones. */
const maxEchoWork = 4 * maxEchoed

/** Serialises the body of a 422. */
export function invalidRequestBody({ entries }: InvalidRequest): string {
  const echo = echoesWithin(maxEchoed, maxEchoWork)
  const texts = entries.slice(0, maxEntries).map(({ type, loc, msg, input, ctx }) => {
    const echoed = input === undefined ? undefined : echo(input)
    const place = loc.map((step) => (typeof step === 'string' ? excerpt(step) : step))
    const members = [`"type":${JSON.stringify(type)}`, `"loc":${JSON.stringify(place)}`, `"msg":${JSON.stringify(msg)}`]
    if (echoed !== undefined) members.push(`"input":${echoed}`)
    if (ctx !== undefined) members.push(`"ctx":${JSON.stringify(ctx)}`)
    return `{${members.join(',')}}`
  })
  return `{"detail":[${texts.join(',')}]}`
}

/** Creates a function that echoes values until the space or the work is used up. A value of several entries is serialised once. */
function echoesWithin(room: number, work: number): (input: WrittenJson) => string | undefined {
  const written = new Map<WrittenJson, string | undefined>()
  return (input) => {
    if (!written.has(input)) {
      const maxLength = Math.min(room, work)
      const text = echoOf(input, maxLength)
      work -= text?.length ?? maxLength
      written.set(input, text)
    }
    const echoed = written.get(input)
    if (echoed === undefined || echoed.length > room) return undefined
    room -= echoed.length
    return echoed
  }
}

export function unknownEntry(loc: Location, input: WrittenJson | undefined): InvalidEntry {
  return { type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', ...(input === undefined ? {} : { input }) }
}

/** @param actual - number of items */
export function tooLongEntry(max: number, actual: number): Omit<InvalidEntry, 'loc' | 'input'> {
  const msg = `List should have at most ${max} item${max === 1 ? '' : 's'} after validation, not ${actual}`
  return { type: 'too_long', msg, ctx: { field_type: 'List', max_length: max, actual_length: actual } }
}

export function missingEntry(loc: Location, input: WrittenJson | undefined = null): InvalidEntry {
  return { type: 'missing', loc, msg: 'Field required', ...(input === undefined ? {} : { input }) }
}
