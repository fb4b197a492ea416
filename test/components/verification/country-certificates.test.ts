import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificatesOf } from '../../../subgraphs/verification/chip/country-certificates.ts'
import { countryCertificateUpkeep } from '../../../subgraphs/verification/commands/country-certificates.ts'
import { signedMessage } from '../../support/chips/chip.ts'
import { certificate, keysOf, type MadeCertificate, newCountry, revocationList } from '../../support/chips/country.ts'
import { integer, sequence, set } from '../../support/chips/der.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'

const pem = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`
const file = (name: string, content: string | Uint8Array) => ({ name, bytes: Buffer.from(content) })
/** An entry of the ICAO directory, with folded lines. */
const ldif = (attribute: string, der: Uint8Array): string =>
  `dn: o=x,c=XX\n${`${attribute};binary:: ${Buffer.from(der).toString('base64')}`.replace(/(.{76})(?=.)/g, '$1\n ')}\n\n`

/** Certificates that a country has collected. */
function masterList(signer: MadeCertificate, collected: readonly MadeCertificate[], more: readonly MadeCertificate[] = []): Buffer {
  const content = sequence(integer(0), set(...collected.map(({ der }) => der)))
  return signedMessage(signer, '2.23.136.1.1.2', content, undefined, more)
}
/** The master list signer of a country. */
const collector = (authority: MadeCertificate): MadeCertificate =>
  certificate({ name: 'Collector', country: authority.country ?? '', keys: keysOf('collector'), issuer: authority, serial: 40 })

const nothingDone = { certificates: 0, revocationLists: 0, unchanged: 0, signers: 0, refused: 0, problems: [] }

for (const engine of relationalEngines()) {
  describe(`country certificates on ${engine.name}`, () => {
    let opened: Awaited<ReturnType<typeof openMigrated>>
    let upkeep: ReturnType<typeof countryCertificateUpkeep>
    beforeAll(async () => {
      opened = await openMigrated(engine)
      upkeep = countryCertificateUpkeep(opened.database)
    })
    afterAll(() => opened?.[Symbol.asyncDispose]())
    const brought = (files: Parameters<typeof upkeep.import>[0], trusted: readonly string[] = []) => upkeep.import(files, trusted)

    it('are imported from PEM with the revocation list, in any order, and once', async () => {
      const { authority, signer } = newCountry('FR')
      const list = pem('X509 CRL', revocationList(authority, [1, 2]))
      const all = file('france.pem', list + pem('CERTIFICATE', authority.der) + pem('CERTIFICATE', signer.der))
      expect(await brought([all])).toEqual({ ...nothingDone, certificates: 1, revocationLists: 1, signers: 1 })
      expect(await brought([all])).toEqual({ ...nothingDone, unchanged: 2, signers: 1 })
      const { authorities, revocationLists } = await certificatesOf(opened.database, 'FRA')
      expect([authorities.length, [...(revocationLists[0]?.serials ?? [])]]).toEqual([1, ['01', '02']])
    })

    it('include the newest revocation list, whatever the order of import', async () => {
      const { authority } = newCountry('NL')
      const newer = file('newer.crl', revocationList(authority, [5], '2026-06-01'))
      const older = file('older.crl', revocationList(authority, [], '2026-05-01'))
      expect(await brought([file('nl.der', authority.der), newer])).toMatchObject({ certificates: 1, revocationLists: 1 })
      expect(await brought([older])).toMatchObject({ revocationLists: 0, unchanged: 1 })
      expect((await certificatesOf(opened.database, 'NLD')).revocationLists[0]?.serials.size).toBe(1)
    })

    it('are imported from an LDIF directory, and errors are reported by line', async () => {
      const { authority, signer } = newCountry('SN')
      const text =
        ldif('cACertificate', authority.der) +
        ldif('userCertificate', signer.der) +
        ldif('certificateRevocationList', revocationList(authority, [])) +
        ldif('cACertificate', Buffer.from('nothing'))
      const { problems, ...counts } = await brought([file('directory.ldif', text)])
      expect(counts).toEqual({ certificates: 1, revocationLists: 1, unchanged: 0, signers: 1, refused: 1 })
      expect(problems).toEqual([expect.stringMatching(/^directory\.ldif, line \d+: it is not ASN\.1/)])
    })

    it('are imported from a master list of a trusted country, or of a signer that the operator names', async () => {
      const [publisher, one, two] = ['DE', 'BE', 'IT'].map((code) => newCountry(code).authority) as [
        MadeCertificate,
        MadeCertificate,
        MadeCertificate,
      ]
      const list = file('list.ml', masterList(collector(publisher), [one, two, publisher]))
      const refused = await brought([list])
      expect(refused).toMatchObject({ certificates: 0, refused: 1 })
      const [, named = ''] = /--trust ([0-9a-f]{64})/.exec(refused.problems[0] ?? '') ?? []
      expect(await brought([list], [named])).toEqual({ ...nothingDone, certificates: 3 })
      const again = masterList(collector(publisher), [newCountry('ES').authority])
      expect(await brought([file('next.pem', pem('CMS', again))])).toEqual({ ...nothingDone, certificates: 1 })
    })

    it('are not imported from a modified master list', async () => {
      const publisher = newCountry('AT').authority
      const bytes = masterList(collector(publisher), [newCountry('PT').authority])
      bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1)
      const { problems } = await brought([file('at.pem', pem('CERTIFICATE', publisher.der)), file('list.ml', bytes)])
      expect(problems).toEqual(['list.ml: the signature of the master list is invalid'])
    })

    it.each<[string, () => Uint8Array, RegExp]>([
      [
        'a list of an unknown signer',
        () => revocationList({ name: 'Unknown', country: 'FR', keys: keysOf('unknown') }, []),
        /no imported certificate signed/,
      ],
      [
        'a certificate that names no country',
        () => certificate({ name: 'X', country: '', keys: keysOf('x'), isAuthority: true }).der,
        /names no country/,
      ],
      ['a certificate under another’s name', forged, /not self-signed/],
      [
        'a certificate by a short key',
        () => certificate({ name: 'W', country: 'FR', keys: keysOf('w', 'rsa-1024'), isAuthority: true }).der,
        /unsupported algorithm or key/,
      ],
      ['something else', () => Buffer.from('%PDF-1.7'), /neither PEM nor LDIF/],
    ])('refuses %s', async (_, createList, sentence) => {
      const { refused, problems } = await brought([file('one.der', createList())])
      expect(refused).toBe(1)
      expect(problems[0]).toMatch(sentence)
    })

    it('are listed, and removed by their fingerprint', async () => {
      const certificates = await upkeep.list()
      expect(certificates).toContainEqual({
        country: 'FRA',
        kind: 'certificate',
        until: new Date('2035-01-01'),
        detail: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      expect(certificates).toContainEqual({ country: 'FRA', kind: 'revocation list', until: new Date('2035-01-01'), detail: '2 revoked' })
      const french = certificates.find(({ country, kind }) => country === 'FRA' && kind === 'certificate')?.detail ?? ''
      expect([await upkeep.remove(french), await upkeep.remove(french)]).toEqual([true, false])
      expect((await certificatesOf(opened.database, 'FRA')).authorities).toEqual([])
    })
  })
}

/** A certificate that names itself as the issuer but is signed by another key. */
function forged(): Uint8Array {
  const issuer = { name: 'Forged', country: 'FR', keys: keysOf('false') }
  return certificate({ name: 'Forged', country: 'FR', keys: keysOf('true'), issuer, isAuthority: true }).der
}
