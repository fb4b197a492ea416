import type { FieldName } from './draft.ts'

/** Brings somebody to a field. */
export function focusField(name: FieldName): void {
  const place = document.querySelector<HTMLElement>(`[data-photograph="${name}"] input, [name="${name}"]`)
  // of what may be folded up
  const folded = place?.closest('details')
  if (folded !== null && folded !== undefined) folded.open = true
  place?.focus()
}
