/** Returns the address of a text in the console. @param id - undefined for the root of the tenant */
export const addressOfText = (tenantId: string, id: string | undefined): string =>
  `/content/${[tenantId, ...(id === undefined ? [] : [id])].map(encodeURIComponent).join('/')}`
