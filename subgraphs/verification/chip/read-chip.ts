import type { MachineReadableZone } from '../document/machine-readable-zone.ts'
import type { SubmittedChip } from '../jobs/submission/submission.ts'
import { type ActiveAuthentication, authenticateActively } from './active-authentication.ts'
import { readBiographicData } from './biographic-data.ts'
import { countryOf } from './country-certificates.ts'
import { authenticate, naming, type PassiveAuthentication, UnreadableChip } from './passive-authentication.ts'
import { type PersonalDetails, readPersonalDetails } from './personal-details.ts'
import type { CountryCertificates } from './pki/trust.ts'
import { readPortrait } from './portrait.ts'

/** What a chip says and how far it can be believed; what cannot be read of it leaves the rest unknown. */
export type ReadChip =
  | { readonly problem: string }
  | {
      readonly authentication: PassiveAuthentication
      /** absent where the chip was asked nothing */
      readonly activeAuthentication?: ActiveAuthentication | undefined
      readonly zone: MachineReadableZone
      /** of the holder, where the chip says more than in its zone */
      readonly details?: PersonalDetails | undefined
      /** JPEG or JPEG 2000, as it is on the chip; undefined where it holds none that can be found */
      readonly portrait: Uint8Array | undefined
    }

/** What a chip was asked to sign, and what it has returned. */
export interface ChallengeAnswer {
  readonly challenge: Uint8Array
  readonly response: Uint8Array
}

/** What was imported of a country, by the code that `countryOf` gives it. @throws {EngineUnavailable} */
export type CertificatesOf = (country: string) => Promise<CountryCertificates>

/** @param now - milliseconds since the epoch   @throws what `certificatesOf` throws */
export async function readChip(
  certificatesOf: CertificatesOf,
  chip: SubmittedChip,
  now: number,
  answer?: ChallengeAnswer,
): Promise<ReadChip> {
  try {
    const zone = naming('dg1', () => readBiographicData(chip.dg1, now))
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

/** It adds to the zone; that it is of a form which is not known says nothing of that. */
function detailsOf({ dg11 }: SubmittedChip): PersonalDetails | undefined {
  try {
    return dg11 && naming('dg11', () => readPersonalDetails(dg11))
  } catch (error) {
    if (error instanceof UnreadableChip) return undefined
    throw error
  }
}

/** That a portrait is of a form which is not known says nothing of the rest of the chip. */
function portraitOf({ dg2 }: SubmittedChip): Uint8Array | undefined {
  try {
    return naming('dg2', () => readPortrait(dg2))
  } catch (error) {
    if (error instanceof UnreadableChip) return undefined
    throw error
  }
}
