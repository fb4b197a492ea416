import type { FieldName } from './draft.ts'

/** Focuses a field. */
export function focusField(name: FieldName): void {
  const place = document.querySelector<HTMLElement>(`[data-photograph="${name}"] input, [name="${name}"]`)
  // the field may be in a closed disclosure
  const folded = place?.closest('details')
  if (folded !== null && folded !== undefined) folded.open = true
  place?.focus()
}
