import { createHash } from 'node:crypto'
import { type ChipFile, chipFiles, type SubmittedChip } from '../submission/submission.ts'
import { firstTag, Unreadable } from './pki/asn1.ts'
import type { Certificate } from './pki/certificate.ts'
import type { MessageSignature } from './pki/signed-data.ts'
import { type CountryCertificates, type SignerTrust, trustOf } from './pki/trust.ts'
import { readSecurityObject } from './security-object.ts'

type DataGroup = Exclude<ChipFile, 'sod'>

/** Result of verifying the files of a chip: hashes, signature and signer. */
export interface PassiveAuthentication {
  /** Node's name of the function */
  readonly hash: string
  /** data groups with a wrong or missing hash */
  readonly altered: readonly DataGroup[]
  readonly signature: MessageSignature
  readonly signer: SignerTrust
}

const numbers: Readonly<Record<DataGroup, number>> = { dg1: 1, dg2: 2, dg11: 11, dg12: 12, dg14: 14, dg15: 15 }
const tags: Readonly<Record<DataGroup, number>> = { dg1: 0x61, dg2: 0x75, dg11: 0x6b, dg12: 0x6c, dg14: 0x6e, dg15: 0x6f }

/** A file of the chip that cannot be read: truncated, or not of a travel document. The message contains none of the data. */
export class UnreadableChip extends Error {
  constructor(file: ChipFile, cause: Unreadable) {
    super(`${file}: ${cause.message}`, { cause })
  }
}

/** Converts Unreadable. @throws {UnreadableChip} */
export function readChipFile<Value>(file: ChipFile, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof Unreadable ? new UnreadableChip(file, error) : error
  }
}

/**
 * Verifies passive authentication (ICAO Doc 9303-11, 5.1). It proves that a country issued the data, not that they are on the original
 * chip.
 * @throws {UnreadableChip}
 */
export function authenticate(
  chip: SubmittedChip,
  country: CountryCertificates & { readonly isOf: (certificate: Certificate) => boolean },
  now: number,
): PassiveAuthentication {
  const { hash, hashes, signature, signer, signedAt } = readChipFile('sod', () => readSecurityObject(chip.sod))
  const altered = chipFiles.filter((file): file is DataGroup => {
    const content = chip[file]
    if (file === 'sod' || content === undefined) return false
    const { tag, bytes } = readChipFile(file, () => firstTag(content))
    if (tag !== tags[file]) throw new UnreadableChip(file, new Unreadable('it is another file'))
    const signed = hashes.get(numbers[file])
    return signed === undefined || !createHash(hash).update(bytes).digest().equals(signed)
  })
  return { hash: hash.toUpperCase().replace('SHA', 'SHA-'), altered, signature, signer: trustOf(signer, country, { signedAt, now }) }
}
