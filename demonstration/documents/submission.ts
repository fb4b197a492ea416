import type { Holder } from './holder.ts'

/** Images as file contents, JPEG or PNG. */
export interface DocumentImages {
  readonly selfie: Uint8Array
  readonly front: Uint8Array
  readonly back?: Uint8Array | undefined
}

const base64 = (image: Uint8Array): string => Buffer.from(image).toString('base64')

/** Returns a body of POST /jobs/submit for a holder. @param members - override or add members */
export function submissionOf<Members extends Readonly<Record<string, unknown>>>(
  holder: Holder,
  { selfie, front, back }: DocumentImages,
  members: Members,
) {
  return {
    document_type: 'NATIONAL_ID',
    country_code: holder.issuingCountry,
    selfie_b64: base64(selfie),
    cni_recto_b64: base64(front),
    ...(back && { cni_verso_b64: base64(back) }),
    declared_identity: {
      first_name: holder.firstName,
      last_name: holder.lastName,
      date_of_birth: holder.dateOfBirth,
      gender: holder.sex,
      nationality: holder.nationality,
    },
    ...members,
  }
}
