import { readFileSync } from 'node:fs'
import { messageOf } from '../fault.ts'

/** Returns the CA certificates (PEM) that an engine is verified against; called for each connection. */
export type Authorities = () => string

/**
 * Reads CA certificates from a file for each connection, so that a replaced file takes effect without a restart. While the file is unreadable or
 * incomplete, the last valid certificates apply.
 * @throws {Error} if the file is invalid at the start; the message continues the file name
 */
export function authoritiesIn(file: string): Authorities {
  let certificates = certificatesIn(file)
  return () => {
    try {
      certificates = certificatesIn(file)
    } catch {
      // keeps the last valid ones
    }
    return certificates
  }
}

/** Returns TLS options that read `ca` for each connection and verify certificates. */
export const trusting = (ca: Authorities) => ({
  rejectUnauthorized: true,
  get ca() {
    return ca()
  },
})

function certificatesIn(file: string): string {
  const pem = read(file)
  const count = (line: string): number => pem.split(line).length - 1
  const begun = count('-----BEGIN CERTIFICATE-----')
  if (begun === 0 || begun !== count('-----END CERTIFICATE-----')) throw new Error('must be a file of certificates (PEM)')
  return pem
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`cannot be read: ${messageOf(error)}`)
  }
}
