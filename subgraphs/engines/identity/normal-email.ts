/** E-mail addresses are compared without regard to case, as every mail provider does (RFC 5321 would allow otherwise). */
export const normalEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()
