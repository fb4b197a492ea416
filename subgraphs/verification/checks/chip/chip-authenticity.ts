import type { PassiveAuthentication } from '../../chip/passive-authentication.ts'
import type { SignerTrust } from '../../chip/pki/trust.ts'
import { type Check, checkOf } from '../check.ts'
import { type Finding, rejecting, review } from '../reasons.ts'

export interface Authenticity {
  readonly dataGroups: Check
  readonly signature: Check
  readonly signer: Check
  readonly findings: readonly Finding[]
}

/**
 * Converts passive authentication to checks. An invalid hash or signature proves altered data; the certificates of an unknown signer's
 * country may not have been imported.
 */
export function checkAuthenticity({ hash, altered, signature, signer }: PassiveAuthentication): Authenticity {
  const signerCheck = checkSigner(signer)
  return {
    dataGroups: checkOf(altered.length > 0 ? 'consider' : 'clear', { hash, altered: altered.join(' ') || undefined }),
    signature: checkOf(({ valid: 'clear', invalid: 'consider', unverifiable: 'unidentified' } as const)[signature]),
    signer: signerCheck.check,
    findings: [
      ...(altered.length > 0 ? [rejecting('chip_altered')] : []),
      ...(signature === 'invalid' ? [rejecting('chip_signature_invalid')] : []),
      // a missing certificate also prevents verification of the signature and is reported once
      ...(signature === 'unverifiable' && signerCheck.finding === undefined ? [review('chip_unreadable')] : []),
      ...(signerCheck.finding === undefined ? [] : [signerCheck.finding]),
    ],
  }
}

const sentences: Readonly<Record<Extract<SignerTrust, { state: 'unknown' }>['why'], string>> = {
  no_signer_certificate: 'the chip contains no certificate of the signer',
  no_country_certificates: 'no country certificates are imported',
  not_issued_by_its_country: 'no imported certificate of the issuing country issued that of the signer',
  not_a_signer_of_documents: 'the certificate is not valid for signing documents',
}

function checkSigner(signer: SignerTrust): { readonly check: Check; readonly finding?: Finding } {
  switch (signer.state) {
    case 'trusted':
      return { check: checkOf('clear', { revocation: signer.revocation }) }
    case 'unknown':
      return { check: checkOf('unidentified', { note: sentences[signer.why] }), finding: review('chip_signer_unknown') }
    case 'revoked':
      return { check: checkOf('consider', { note: 'the issuing country revoked the certificate' }), finding: review('chip_signer_revoked') }
    case 'expired':
      return {
        check: checkOf('consider', { note: 'a certificate was not valid when the chip or the next certificate was signed' }),
        finding: review('chip_signer_expired'),
      }
  }
}
