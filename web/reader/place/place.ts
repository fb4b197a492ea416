/** The reader's place as its address has it, so that each text has a shareable link. */
export interface Place {
  /** '': the service's default tenant */
  readonly tenant: string
  /** undefined: the root */
  readonly id: string | undefined
  /** undefined: the page of the text */
  readonly view?: 'pyramid' | undefined
  /** signed link to a private tenant */
  readonly access?: string | undefined
}

/** @param search - query part of the address */
export function placeIn(search: string): Place {
  const params = new URLSearchParams(search)
  return {
    tenant: params.get('tenant') ?? '',
    id: params.get('node') ?? undefined,
    view: params.get('view') === 'pyramid' ? 'pyramid' : undefined,
    access: params.get('access') ?? undefined,
  }
}

/** @param lang - undefined: not part of the address */
export function addressOf({ tenant, id, view, access }: Place, lang: string | undefined): string {
  const members = { node: id, tenant: tenant || undefined, view, lang, access }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, value)
  return query.size === 0 ? '/' : `/?${query}`
}
