import { type MrzFormatName, mrzFormat } from '../../../engines/document-reader/mrz/formats.ts'
import { type MachineReadableZone, parseMrz } from '../document/machine-readable-zone.ts'
import type { SubmittedChip } from '../submission/submission.ts'
import { type ActiveAuthentication, authenticateActively } from './active-authentication.ts'
import { countryOf } from './country-certificates.ts'
import { authenticate, type PassiveAuthentication, readChipFile, UnreadableChip } from './passive-authentication.ts'
import { type PersonalDetails, readPersonalDetails } from './personal-details.ts'
import { contentOf, firstTag, Unreadable } from './pki/asn1.ts'
import type { CountryCertificates } from './pki/trust.ts'
import { readPortrait } from './portrait.ts'

/** Content of a chip and the results of its verification, or the reason why it cannot be read. */
export type ReadChip =
  | { readonly problem: string }
  | {
      readonly authentication: PassiveAuthentication
      /** absent without a challenge */
      readonly activeAuthentication?: ActiveAuthentication | undefined
      readonly zone: MachineReadableZone
      /** details of the holder beyond the zone, if present */
      readonly details?: PersonalDetails | undefined
      /** JPEG or JPEG 2000 as stored on the chip; undefined when it cannot be found */
      readonly portrait: Uint8Array | undefined
    }

/** A challenge and the chip's response. */
export interface ChallengeAnswer {
  readonly challenge: Uint8Array
  readonly response: Uint8Array
}

/** Returns the imported certificates of a country, by the code of `countryOf`. @throws {EngineUnavailable} */
export type CertificatesOf = (country: string) => Promise<CountryCertificates>

/** @param now - milliseconds since the epoch  @throws errors of `certificatesOf` */
export async function readChip(
  certificatesOf: CertificatesOf,
  chip: SubmittedChip,
  now: number,
  answer?: ChallengeAnswer,
): Promise<ReadChip> {
  try {
    const zone = readChipFile('dg1', () => readBiographicData(chip.dg1, now))
    const country = countryOf(zone.issuer)
    const certificates = await certificatesOf(country)
    const authentication = authenticate(chip, { ...certificates, isOf: (certificate) => countryOf(certificate.country) === country }, now)
    const activeAuthentication = answer && authenticateActively(chip, answer.challenge, answer.response)
    return { authentication, activeAuthentication, zone, details: detailsOf(chip), portrait: portraitOf(chip) }
  } catch (error) {
    if (error instanceof UnreadableChip) return { problem: error.message }
    throw error
  }
}

/** Reads optional details; an unknown format has no effect on the rest. */
function detailsOf({ dg11 }: SubmittedChip): PersonalDetails | undefined {
  try {
    return dg11 && readChipFile('dg11', () => readPersonalDetails(dg11))
  } catch (error) {
    if (error instanceof UnreadableChip) return undefined
    throw error
  }
}

/** Reads the portrait; an unknown format has no effect on the rest. */
function portraitOf({ dg2 }: SubmittedChip): Uint8Array | undefined {
  try {
    return readChipFile('dg2', () => readPortrait(dg2))
  } catch (error) {
    if (error instanceof UnreadableChip) return undefined
    throw error
  }
}

const dataGroup1 = 0x61
const zone = 0x5f1f
/** by number of characters of the zone without line ends (ICAO Doc 9303-10, 4.7.1) */
const formats: Readonly<Record<number, MrzFormatName>> = { 88: 'TD3', 90: 'TD1', 72: 'TD2' }

/** Reads the machine-readable zone of the chip. @param now - decides the century of two-digit years  @throws {Unreadable} */
export function readBiographicData(file: Uint8Array, now: number): MachineReadableZone {
  const text = Buffer.from(contentOf(contentOf(firstTag(file).bytes, dataGroup1), zone)).toString('latin1')
  const format = formats[text.length]
  if (format === undefined || !/^[A-Z0-9<]+$/.test(text)) throw new Unreadable('the machine-readable zone is invalid')
  const { width } = mrzFormat(format)
  const lines = Array.from({ length: text.length / width }, (_, line) => text.slice(line * width, (line + 1) * width))
  return parseMrz(format, lines, now)
}
