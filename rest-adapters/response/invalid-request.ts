import type { WrittenJson } from '../request/python-json.ts'
import { echoOf } from './echo.ts'

export type Location = readonly (string | number)[]

/** One entry of a refusal's `detail`: the documented ValidationError, with what it echoes as it was written. */
export interface InvalidEntry {
  readonly type: string
  readonly loc: Location
  readonly msg: string
  readonly input?: WrittenJson
  readonly ctx?: Readonly<Record<string, unknown>>
}

/** A request that breaks the documented rules: 422 with the HTTPValidationError of the reference implementation. */
export class InvalidRequest extends Error {
  readonly entries: readonly InvalidEntry[]
  constructor(entries: readonly InvalidEntry[]) {
    super('the request is not valid')
    this.name = 'InvalidRequest'
    this.entries = entries
  }
}

/** A rule's own refusal: `context.addIssue(ownIssue({ type: 'int_parsing', msg: '…' }))`. */
export function ownIssue(entry: Omit<InvalidEntry, 'loc' | 'input'>): { code: 'custom'; params: Readonly<Record<string, unknown>> } {
  return { code: 'custom', params: { entry } }
}

/** An answer names at most so many problems, and echoes at most so many characters: requests are megabytes, answers must not be. */
export const maxEntries = 1000
const maxEchoed = 256 * 1024

/** The body of a 422, as JSON text. */
export function invalidRequestBody({ entries }: InvalidRequest): string {
  let room = maxEchoed
  const texts = entries.slice(0, maxEntries).map(({ type, loc, msg, input, ctx }) => {
    const echoed = input === undefined ? undefined : echoOf(input, room)
    room -= echoed?.length ?? 0
    const members = [`"type":${JSON.stringify(type)}`, `"loc":${JSON.stringify(loc)}`, `"msg":${JSON.stringify(msg)}`]
    if (echoed !== undefined) members.push(`"input":${echoed}`)
    if (ctx !== undefined) members.push(`"ctx":${JSON.stringify(ctx)}`)
    return `{${members.join(',')}}`
  })
  return `{"detail":[${texts.join(',')}]}`
}

export function unknownEntry(loc: Location, input: WrittenJson | undefined): InvalidEntry {
  return { type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', ...(input === undefined ? {} : { input }) }
}

export function missingEntry(loc: Location, input: WrittenJson | undefined = null): InvalidEntry {
  return { type: 'missing', loc, msg: 'Field required', ...(input === undefined ? {} : { input }) }
}
