import { type KeyObject, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigProblems } from '../../../foundation/config/config.ts'
import { messageOf } from '../../../foundation/fault.ts'
import { hashOfCurve, type SealKeys } from './verify-seal.ts'

/** authority and certificate as in seals */
const fileName = /^([A-Z0-9]{8})\.(?:pem|crt|cer|der)$/
const maxCertificates = 1000

/**
 * Reads the seal certificates in an operator's folder: `FR03AV01.pem`, or .crt, .cer, .der; PEM or DER. Other files are ignored.
 * @param folder - VERIFICATION_SEAL_CERTIFICATES; undefined: none  @throws {ConfigProblems} one sentence per invalid file
 */
export function sealKeysOf(folder: string | undefined): SealKeys {
  if (folder === undefined) return new Map()
  const keys = new Map<string, KeyObject>()
  const problems: string[] = []
  for (const [name, id] of certificatesIn(folder)) {
    try {
      const { publicKey } = new X509Certificate(readFileSync(join(folder, name)))
      if (hashOfCurve(publicKey) === undefined) throw new Error('its key is not on one of the curves P-256, P-384 and P-521')
      keys.set(id, publicKey)
    } catch (thrown) {
      problems.push(`VERIFICATION_SEAL_CERTIFICATES: ${name} cannot be used: ${messageOf(thrown)}`)
    }
  }
  if (problems.length > 0) throw new ConfigProblems(problems)
  return keys
}

function certificatesIn(folder: string): readonly (readonly [name: string, id: string])[] {
  try {
    const certificates = readdirSync(folder).flatMap((name) => {
      const id = fileName.exec(name)?.[1]
      return id === undefined ? [] : [[name, id] as const]
    })
    if (certificates.length > maxCertificates) throw new Error(`it contains more than ${maxCertificates} certificates`)
    return certificates
  } catch (thrown) {
    throw new ConfigProblems([`VERIFICATION_SEAL_CERTIFICATES cannot be read: ${messageOf(thrown)}`])
  }
}
