import { createHash } from 'node:crypto'

/** E-mail addresses are compared without regard to case, as every mail provider does (RFC 5321 would allow otherwise). */
export const normalEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()

/** Whether it can be one; whether it is, only a message tells. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

/** Stands for an e-mail address where nobody is to read it. */
export const emailDigest = (email: string): string => createHash('sha256').update(normalEmail(email)).digest('base64url')
