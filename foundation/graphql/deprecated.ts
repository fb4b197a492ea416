/** Options of a deprecated field or argument. @param use - what replaces it */
export const deprecated = (use: string) => ({ deprecationReason: `Use ${use}. May be removed on or after 2027-12-01` })
