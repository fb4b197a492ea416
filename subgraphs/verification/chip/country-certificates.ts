import type { Database } from '../../../engines/relational/database.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import { countryCode } from '../document/countries.ts'
import { readCertificate } from './pki/certificate.ts'
import { readRevocationList } from './pki/revocation-list.ts'
import type { CountryCertificates } from './pki/trust.ts'
import { countryCertificate, countryRevocationList } from './tables.ts'

/** a country has about twenty in a decade */
const maxOfACountry = 500

/** Normalises a country of certificates (two letters) and documents (three letters, D for Germany). */
export const countryOf = (written: string): string => countryCode(written) ?? written.trim().toUpperCase()

/** Returns the imported certificates of a country. @param country - as `countryOf` returns it  @throws {EngineUnavailable} */
export async function certificatesOf({ orm }: Pick<Database, 'orm'>, country: string): Promise<CountryCertificates> {
  const certificates = await orm
    .select({ der: countryCertificate.der })
    .from(countryCertificate)
    .where(eq(countryCertificate.country, country))
    .limit(maxOfACountry)
  const lists = await orm
    .select({ der: countryRevocationList.der })
    .from(countryRevocationList)
    .where(eq(countryRevocationList.country, country))
    .limit(maxOfACountry)
  const anyImported = certificates.length > 0 || (await orm.select({ one: sql`1` }).from(countryCertificate).limit(1)).length > 0
  return {
    authorities: certificates.map(({ der }) => readCertificate(der)),
    revocationLists: lists.map(({ der }) => readRevocationList(der)),
    anyImported,
  }
}
