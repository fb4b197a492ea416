/** Returns the times between two days in the time zone of the browser, the last day included; an empty day does not restrict. */
export function dayRange(from: string, to: string): { readonly from?: string; readonly to?: string } {
  return { ...(from !== '' && { from: startOf(from, 0) }), ...(to !== '' && { to: startOf(to, 1) }) }
}

/** @param day - YYYY-MM-DD  @param offset - days to add */
function startOf(day: string, offset: number): string {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + offset)
  return start.toISOString()
}
