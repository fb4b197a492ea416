import type { Database } from '../../../engines/relational/database.ts'
import { eq } from '../../../engines/relational/drizzle.ts'
import { type Entry, entriesOf } from '../chip/import/entries.ts'
import { type ImportedCertificates, importCertificates } from '../chip/import/import-certificates.ts'
import { readCertificate } from '../chip/pki/certificate.ts'
import { readRevocationList } from '../chip/pki/revocation-list.ts'
import { countryCertificate, countryRevocationList } from '../chip/tables.ts'

export type { ImportedCertificates } from '../chip/import/import-certificates.ts'

/** A stored certificate or revocation list. */
export interface StoredCountryRecord {
  readonly country: string
  readonly kind: 'certificate' | 'link certificate' | 'revocation list'
  /** expiry of a certificate, next update of a revocation list */
  readonly until: Date | undefined
  /** SHA-256 of a certificate, number of entries of a revocation list */
  readonly detail: string
}

/** Maintenance of country certificates by an operator, with or without a running platform. */
export interface CountryCertificateUpkeep {
  /** @param trusted - fingerprints that may verify a master list which contains them  @throws {EngineUnavailable} */
  import(files: readonly { readonly name: string; readonly bytes: Buffer }[], trusted: readonly string[]): Promise<ImportedCertificates>
  list(): Promise<readonly StoredCountryRecord[]>
  /** @returns whether it existed  @throws {EngineUnavailable} */
  remove(fingerprint: string): Promise<boolean>
}

export function countryCertificateUpkeep(database: Database): CountryCertificateUpkeep {
  return {
    import: (files, trusted) => importCertificates(database, every(files), new Set(trusted.map((each) => each.toLowerCase()))),
    async list() {
      const certificates = await database.orm
        .select()
        .from(countryCertificate)
        .orderBy(countryCertificate.country, countryCertificate.validUntil)
      const lists = await database.orm.select().from(countryRevocationList).orderBy(countryRevocationList.country)
      return [
        ...certificates.map(({ country, der, fingerprint, validUntil }): StoredCountryRecord => {
          const { subject, issuer } = readCertificate(der)
          return { country, kind: subject === issuer ? 'certificate' : 'link certificate', until: validUntil, detail: fingerprint }
        }),
        ...lists.map(({ country, der }): StoredCountryRecord => {
          const { dueAt, serials } = readRevocationList(der)
          return { country, kind: 'revocation list', until: dueAt, detail: `${serials.size} revoked` }
        }),
      ]
    },
    async remove(fingerprint) {
      const removed = await database.orm
        .delete(countryCertificate)
        .where(eq(countryCertificate.fingerprint, fingerprint.toLowerCase()))
        .returning({ fingerprint: countryCertificate.fingerprint })
      return removed.length > 0
    },
  }
}

function* every(files: readonly { readonly name: string; readonly bytes: Buffer }[]): Generator<Entry> {
  for (const { name, bytes } of files) yield* entriesOf(name, bytes)
}
