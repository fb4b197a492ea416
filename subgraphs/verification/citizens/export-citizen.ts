import type { CitizenDataHolder, CitizenReferences } from '../../../engines/citizen-data/citizen-data.ts'

/** A position in the export of a citizen: a component by its place, and the last record of it. */
export interface ExportPlace {
  readonly component: number
  readonly after: string | undefined
}

export interface ExportPage {
  /** NDJSON */
  readonly lines: readonly string[]
  /** undefined at the end */
  readonly next: ExportPlace | undefined
}

const recordsAtOnce = 100
/** a verification may contain 15 MB of images, which are described and not exported */
const verificationsAtOnce = 5
const maxCharacters = 4 * 1024 * 1024

/** Returns the next lines of the data about a citizen in all components, at most `limit` and about 4 Mi characters. */
export async function exportCitizen(
  holders: readonly CitizenDataHolder[],
  citizen: CitizenReferences,
  from: ExportPlace,
  limit: number,
  signal: AbortSignal,
): Promise<ExportPage> {
  const lines: string[] = []
  let characters = 0
  let place: ExportPlace | undefined = from
  while (place !== undefined && lines.length < limit && characters < maxCharacters) {
    const { component, after }: ExportPlace = place
    const holder: CitizenDataHolder | undefined = holders[component]
    if (holder === undefined) return { lines, next: undefined }
    const wanted = Math.min(holder.component === 'verification' ? verificationsAtOnce : recordsAtOnce, limit - lines.length)
    const records = await holder.export(citizen, after, wanted, signal)
    const added = records.map(({ type, data }) => JSON.stringify({ component: holder.component, type, ...data }))
    lines.push(...added)
    characters += added.reduce((sum, line) => sum + line.length, 0)
    const last = records.at(-1)
    place = last === undefined || records.length < wanted ? nextComponent(holders, component) : { component, after: last.position }
  }
  return { lines, next: place }
}

const nextComponent = (holders: readonly unknown[], component: number): ExportPlace | undefined =>
  component + 1 < holders.length ? { component: component + 1, after: undefined } : undefined
