import { createHash } from 'node:crypto'
import type { Database } from '../../../../engines/relational/database.ts'
import { lt } from '../../../../engines/relational/drizzle.ts'
import { certificatesOf, countryOf } from '../country-certificates.ts'
import { Unreadable } from '../pki/asn1.ts'
import { type Certificate, countryIn, readCertificate } from '../pki/certificate.ts'
import { isIssuedBy, readRevocationList } from '../pki/revocation-list.ts'
import { isSelfSigned, issues } from '../pki/trust.ts'
import { countryCertificate, countryRevocationList } from '../tables.ts'
import type { Entry } from './entries.ts'
import { type MasterList, readable, readMasterList } from './master-list.ts'

/** Result of an import. */
export interface ImportedCertificates {
  certificates: number
  revocationLists: number
  /** already stored, or older than the stored one */
  unchanged: number
  /** certificates of document signers, which are not imported: chips contain them */
  signers: number
  refused: number
  /** one sentence per refused item, at most 100 */
  readonly problems: string[]
}

const maxProblems = 100

/** The reason why an item is refused. */
class RefusedItem extends Error {}

/**
 * Stores certificates and revocation lists of countries. Certificates are processed first, then master lists, then revocation lists,
 * because each is verified with those before it. Repeating an import changes nothing.
 * @param trusted - fingerprints (SHA-256, hex) of certificates that may verify a master list which contains them
 * @throws {EngineUnavailable} what was stored before remains
 */
export async function importCertificates(
  database: Database,
  entries: Iterable<Entry>,
  trusted: ReadonlySet<string>,
): Promise<ImportedCertificates> {
  const importing = new CertificateImport(database, trusted)
  const later: Entry[] = []
  for (const entry of entries) {
    if (entry.kind === 'certificate') await importing.process(entry, (der) => importing.certificate(der))
    else later.push(entry)
  }
  const lists = later.filter(({ kind }) => kind === 'revocation list')
  for (const entry of later.filter(({ kind }) => kind !== 'revocation list'))
    await importing.process(entry, (der) => (entry.kind === 'unnamed' ? importing.unnamed(der) : importing.masterList(der, entry.where)))
  for (const entry of lists) await importing.process(entry, (der) => importing.revocationList(der))
  return importing.done
}

class CertificateImport {
  readonly done: ImportedCertificates = { certificates: 0, revocationLists: 0, unchanged: 0, signers: 0, refused: 0, problems: [] }
  readonly #database: Database
  readonly #trusted: ReadonlySet<string>

  constructor(database: Database, trusted: ReadonlySet<string>) {
    this.#database = database
    this.#trusted = trusted
  }

  /** Processes an item; an invalid one is counted and reported, and the others continue. */
  async process({ where, der }: Pick<Entry, 'where' | 'der'>, store: (der: Uint8Array) => Promise<void>): Promise<void> {
    try {
      await store(der)
    } catch (error) {
      if (!(error instanceof RefusedItem || error instanceof Unreadable)) throw error
      this.done.refused += 1
      if (this.done.problems.length < maxProblems) this.done.problems.push(`${where}: ${error.message}`)
    }
  }

  async certificate(der: Uint8Array): Promise<void> {
    const certificate = readCertificate(der)
    if (!certificate.isAuthority) {
      this.done.signers += 1
      return
    }
    if (certificate.country === '') throw new RefusedItem('the certificate names no country')
    if (certificate.usage?.signsCertificates === false) throw new RefusedItem('the certificate is not valid for signing certificates')
    if (certificate.subject === certificate.issuer && !isSelfSigned(certificate))
      throw new RefusedItem('the certificate is not self-signed, or uses an unsupported algorithm or key')
    const { fingerprint, country, validUntil } = certificate
    const row = { fingerprint, country: countryOf(country), der: Buffer.from(der), validUntil }
    const stored = await this.#database.orm
      .insert(countryCertificate)
      .values(row)
      .onConflictDoNothing()
      .returning({ fingerprint: countryCertificate.fingerprint })
    this.#count('certificates', stored.length > 0)
  }

  async masterList(der: Uint8Array, where: string): Promise<void> {
    const list = readMasterList(der)
    if (list.signature !== 'valid' || list.signer === undefined) throw new RefusedItem('the signature of the master list is invalid')
    await this.#verifySigner(list, list.signer)
    for (const [index, each] of list.collected.entries())
      await this.process({ where: `${where}, certificate ${index + 1}`, der: each }, (one) => this.certificate(one))
  }

  /** Verifies a master list: an imported certificate, or one that the operator named, must have issued that of its signer. */
  async #verifySigner(list: MasterList, signer: Certificate): Promise<void> {
    const { authorities } = await certificatesOf(this.#database, countryOf(signer.country))
    if (authorities.some((authority) => issues(authority, signer))) return
    const own = [...list.certificates, ...readable(list)].find((authority) => issues(authority, signer))
    if (own === undefined)
      throw new RefusedItem('neither an imported certificate nor one in the master list issued the signer of the master list')
    if (this.#trusted.has(own.fingerprint)) return
    throw new RefusedItem(
      `the certificate that issued the signer of the master list is not imported: compare its SHA-256 digest with the one that the country publishes, then pass --trust ${own.fingerprint}`,
    )
  }

  async revocationList(der: Uint8Array): Promise<void> {
    const list = readRevocationList(der)
    const country = countryOf(countryIn(list.issuer))
    const { authorities } = await certificatesOf(this.#database, country)
    if (!authorities.some((authority) => isIssuedBy(list, authority)))
      throw new RefusedItem('no imported certificate signed the revocation list')
    const issuer = createHash('sha256')
      .update(JSON.stringify([list.issuer, list.issuerKeyId ?? null]))
      .digest('hex')
    const row = { country, der: Buffer.from(der), issuedAt: list.issuedAt }
    const stored = await this.#database.orm
      .insert(countryRevocationList)
      .values({ issuer, ...row })
      .onConflictDoUpdate({ target: countryRevocationList.issuer, set: row, setWhere: lt(countryRevocationList.issuedAt, list.issuedAt) })
      .returning({ issuer: countryRevocationList.issuer })
    this.#count('revocationLists', stored.length > 0)
  }

  /** Processes a DER value, whose structure determines its kind. */
  async unnamed(der: Uint8Array): Promise<void> {
    const problems: string[] = []
    for (const store of [() => this.certificate(der), () => this.revocationList(der), () => this.masterList(der, 'the master list')]) {
      try {
        return await store()
      } catch (error) {
        if (error instanceof RefusedItem) throw error
        if (!(error instanceof Unreadable)) throw error
        problems.push(error.message)
      }
    }
    throw new RefusedItem(
      `the file is neither PEM nor LDIF, and not a DER certificate, revocation list or master list (${problems.join('; ')})`,
    )
  }

  #count(kind: 'certificates' | 'revocationLists', isNew: boolean): void {
    this.done[isNew ? kind : 'unchanged'] += 1
  }
}
