import { browserStorage } from '../../shared/frame/browser-storage.ts'

/** A reading position. */
export interface Position {
  readonly tenant: string
  readonly id: string
  readonly title: string
  readonly locale: string | null
  /** index of the first visible block */
  readonly block: number
  /** share above the window, 0 to 1 */
  readonly share: number
}

const maxPositions = 100
/** share from which a text counts as read */
const nearEnd = 0.97
const place = browserStorage<readonly Position[]>('civigraph.reader.positions')

/** The stored positions, latest first. */
export function positions(): readonly Position[] {
  const stored = place.read()
  return Array.isArray(stored) ? stored.filter(isPosition) : []
}

export function rememberPosition(position: Position): void {
  const others = positions().filter(({ tenant, id }) => tenant !== position.tenant || id !== position.id)
  place.write((position.share >= nearEnd ? others : [position, ...others]).slice(0, maxPositions))
}

export const positionIn = (tenant: string, id: string): Position | undefined =>
  positions().find((position) => position.tenant === tenant && position.id === id)

function isPosition(value: unknown): value is Position {
  const { tenant, id, title, block, share } = (value ?? {}) as Partial<Record<keyof Position, unknown>>
  return [tenant, id, title].every((each) => typeof each === 'string') && [block, share].every((each) => typeof each === 'number')
}
