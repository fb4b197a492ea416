import { keep, readKept } from '../../place/kept.ts'
import type { ContentText } from '../../service/content-view.ts'

/** Texts that were removed in this browser, to be restored from here: the platform itself keeps none. */
export interface Removed {
  readonly tenant: string
  readonly at: string
  /** each after the one above it */
  readonly texts: readonly ContentText[]
}

const most = 20
const name = 'trash'
const changed = 'civigraph.reader.trash'

export function removed(): readonly Removed[] {
  const kept = readKept(name)
  return Array.isArray(kept) ? kept : []
}

/** @returns whether the browser keeps them */
export const keepRemoved = (texts: Removed): boolean => told(keep(name, [texts, ...removed()].slice(0, most)))

export const forgetRemoved = ({ at }: Removed): boolean =>
  told(
    keep(
      name,
      removed().filter((each) => each.at !== at),
    ),
  )

export function onTrash(listen: () => void): () => void {
  addEventListener(changed, listen)
  return () => removeEventListener(changed, listen)
}

function told(isKept: boolean): boolean {
  dispatchEvent(new Event(changed))
  return isKept
}
