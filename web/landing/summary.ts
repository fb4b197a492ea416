/** `SILENT`: the component does not respond. */
export type Status = 'OK' | 'DEGRADED' | 'DOWN' | 'SILENT'

interface Speaker {
  word(
    key: 'summary.silent' | 'summary.well' | 'summary.between' | `summary.${Exclude<Status, 'OK'>}`,
    values?: Readonly<Record<string, string | number>>,
  ): string
  named(group: 'name', code: string): string
}

/** Returns one sentence about all components: the ones with problems, that all work, or that the gateway does not respond. */
export function summaryOf(healths: ReadonlyMap<string, { readonly status: Status }>, { word, named }: Speaker): string {
  const all = [...healths]
  if (all.every(([, { status }]) => status === 'SILENT')) return word('summary.silent')
  const ill = all.flatMap(([name, { status }]) => (status === 'OK' ? [] : [word(`summary.${status}`, { component: named('name', name) })]))
  return ill.length === 0 ? word('summary.well', { count: all.length }) : `${ill.join(word('summary.between'))}.`
}
