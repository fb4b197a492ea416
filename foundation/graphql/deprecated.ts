/** Options of a deprecated field or argument. @param use - what replaces it */
export const deprecated = (use: string) => ({ deprecationReason: `Use ${use}. May be gone from 2027-12-01` })
