import { type Certificate, isSignedBy } from './certificate.ts'
import type { RevocationList } from './revocation-list.ts'

/** Imported certificates and revocation lists of a country. */
export interface CountryCertificates {
  /** its self-signed certificates and its link certificates */
  readonly authorities: readonly Certificate[]
  /** each signed by one of the authorities */
  readonly revocationLists: readonly RevocationList[]
  /** false while no certificate of any country is imported */
  readonly anyImported: boolean
}

/** Whether the signer of a chip belongs to its country. */
export type SignerTrust =
  | { readonly state: 'trusted'; readonly revocation: 'not_revoked' | 'list_overdue' | 'no_list' }
  | {
      readonly state: 'unknown'
      readonly why: 'no_signer_certificate' | 'no_country_certificates' | 'not_issued_by_its_country' | 'not_a_signer_of_documents'
    }
  | { readonly state: 'expired' | 'revoked' }

/** maximum path length from the signer's issuer: country keys last three to five years, documents ten */
const maxPathLength = 6

/**
 * Finds the path from a document signer to a self-signed certificate of its country (ICAO Doc 9303-11, 5.1; 9303-12, 5 and 6).
 * @param country - certificates; `isOf` decides whether one belongs to the issuer stated in the document
 * @param at - signing time, if known, else now: a signer's certificate is valid as long as its documents
 */
export function trustOf(
  signer: Certificate | undefined,
  country: CountryCertificates & { readonly isOf: (certificate: Certificate) => boolean },
  at: { readonly signedAt: Date | undefined; readonly now: number },
): SignerTrust {
  if (signer === undefined) return { state: 'unknown', why: 'no_signer_certificate' }
  if (!country.anyImported) return { state: 'unknown', why: 'no_country_certificates' }
  if (signer.isAuthority || signer.usage?.signsData === false) return { state: 'unknown', why: 'not_a_signer_of_documents' }
  const authorities = country.authorities.filter(country.isOf)
  if (!country.isOf(signer)) return { state: 'unknown', why: 'not_issued_by_its_country' }
  const path = pathTo(signer, authorities, [])
  if (path === undefined) return { state: 'unknown', why: 'not_issued_by_its_country' }
  const lists = country.revocationLists.filter(({ issuer }) => issuer === signer.issuer)
  const chain = [signer, ...path]
  const isRevoked = chain.some(({ issuer, serial }) =>
    country.revocationLists.some((list) => list.issuer === issuer && list.serials.has(serial)),
  )
  if (isRevoked) return { state: 'revoked' }
  if (!inTime(chain, at)) return { state: 'expired' }
  const isCurrent = lists.some(({ dueAt }) => dueAt === undefined || dueAt.getTime() >= at.now)
  return { state: 'trusted', revocation: lists.length === 0 ? 'no_list' : isCurrent ? 'not_revoked' : 'list_overdue' }
}

/** Returns the issuers up to a self-signed one; undefined without a path. Each certificate occurs once, which excludes cycles. */
function pathTo(
  certificate: Certificate,
  authorities: readonly Certificate[],
  before: readonly Certificate[],
): readonly Certificate[] | undefined {
  if (before.length >= maxPathLength) return undefined
  for (const authority of authorities) {
    if (before.includes(authority) || !issues(authority, certificate)) continue
    if (isSelfSigned(authority)) return [authority]
    const rest = pathTo(authority, authorities, [...before, authority])
    if (rest !== undefined) return [authority, ...rest]
  }
  return undefined
}

/** Returns whether the authority issued the certificate. */
export const issues = (authority: Certificate, { issuer, issuerKeyId, signed }: Certificate): boolean =>
  (authority.subject === issuer || (issuerKeyId !== undefined && issuerKeyId === authority.keyId)) &&
  authority.isAuthority &&
  authority.usage?.signsCertificates !== false &&
  isSignedBy(signed, authority)

export const isSelfSigned = (certificate: Certificate): boolean =>
  certificate.subject === certificate.issuer && isSignedBy(certificate.signed, certificate)

const isValid = ({ validFrom, validUntil }: Certificate, at: number): boolean => validFrom.getTime() <= at && at <= validUntil.getTime()

/** Checks validity at the time of signing: the signer's for the document, each issuer's for the certificate it issued. */
function inTime(chain: readonly Certificate[], { signedAt, now }: { readonly signedAt: Date | undefined; readonly now: number }): boolean {
  const [signer] = chain
  const signedMs = signedAt?.getTime()
  if (signer === undefined || !isValid(signer, signedMs ?? now)) return false
  if (signedMs !== undefined && signer.signsUntil !== undefined && signedMs > signer.signsUntil.getTime()) return false
  return chain.every((each, index) => {
    const issuer = chain[index + 1]
    return issuer === undefined || isValid(issuer, each.validFrom.getTime())
  })
}
