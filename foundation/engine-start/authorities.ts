import { readFileSync } from 'node:fs'
import { messageOf } from '../fault.ts'

/** The certificates of the authorities that an engine is trusted by (PEM), as a client asks for them at each connection. */
export type Authorities = () => string

/**
 * Those of a file, as it is by then: another authority is taken up without a restart. While it cannot be read or holds none, as one that is half
 * written, those of before go on.
 * @throws {Error} a sentence that goes on from the file's name, when it is of no use at the beginning
 */
export function authoritiesIn(file: string): Authorities {
  let known = certificatesIn(file)
  return () => {
    try {
      known = certificatesIn(file)
    } catch {
      // those of before
    }
    return known
  }
}

/** TLS options of a client that reads `ca` at each connection; certificates are checked. */
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
