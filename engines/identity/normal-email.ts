import { createHash } from 'node:crypto'
import { normalForm } from '../../foundation/text/normal-form.ts'

/** Normalises an e-mail address. Case is ignored, as mail providers do (RFC 5321 would allow otherwise). */
export const normalEmail = (email: string): string => normalForm(email.trim(), 'NFC').toLowerCase()

/** Whether a text has the form of an e-mail address. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

/** Returns a digest that replaces an e-mail address in logs and keys. */
export const emailDigest = (email: string): string => createHash('sha256').update(normalEmail(email)).digest('base64url')
