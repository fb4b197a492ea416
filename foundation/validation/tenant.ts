/** Whether a text can be the name of a tenant. */
export const isTenant = (name: string): boolean => /^[a-z0-9-]{1,63}$/.test(name)
