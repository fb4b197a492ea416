/** Whether a text is a valid tenant name. */
export const isTenant = (name: string): boolean => /^[a-z0-9-]{1,63}$/.test(name)
