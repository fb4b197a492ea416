/** Whether a text is a lower-case UUID; a search index would treat upper case as another id. */
export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
