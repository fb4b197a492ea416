import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { generateHolder } from '../../../../demonstration/documents/holder.ts'
import { linesTd1, linesTd3 } from '../../../../demonstration/documents/machine-readable-lines.ts'
import { readCertificate } from '../../../../subgraphs/verification/chip/pki/certificate.ts'
import { readRevocationList } from '../../../../subgraphs/verification/chip/pki/revocation-list.ts'
import type { CountryCertificates } from '../../../../subgraphs/verification/chip/pki/trust.ts'
import { readChip } from '../../../../subgraphs/verification/chip/read-chip.ts'
import type { SubmittedChip } from '../../../../subgraphs/verification/submission/submission.ts'
import { makeChip } from '../../../support/chips/chip.ts'
import { certificate, type KeyKind, keysOf, type MadeCertificate, newCountry, revocationList } from '../../../support/chips/country.ts'
import { tagged } from '../../../support/chips/der.ts'

const now = Date.parse('2026-11-01')
const holder = generateHolder(5, { issuingCountry: 'FRA', nationality: 'FRA' })
const lines = linesTd3(holder)
const portrait = Buffer.from('ffd8ffe0', 'hex')
const { authority, signer } = newCountry('FR')

const imported = (authorities: readonly MadeCertificate[], lists: readonly Uint8Array[] = []): CountryCertificates => ({
  authorities: authorities.map(({ der }) => readCertificate(der)),
  revocationLists: lists.map(readRevocationList),
  anyImported: authorities.length > 0,
})

async function authenticated(chip: SubmittedChip, certificates: CountryCertificates = imported([authority])) {
  const read = await readChip(async () => certificates, chip, now)
  if ('problem' in read) throw new Error(read.problem)
  return read.authentication
}

const problemOf = async (chip: SubmittedChip): Promise<string> => {
  const read = await readChip(async () => imported([authority]), chip, now)
  return 'problem' in read ? read.problem : 'none'
}

describe('a chip', () => {
  it('is authenticated by its country', async () => {
    const chip = makeChip({ signer, lines, portrait, dg14: tagged(0x6e, Buffer.of(1)) })
    expect(await authenticated(chip)).toEqual({
      hash: 'SHA-256',
      altered: [],
      signature: 'valid',
      signer: { state: 'trusted', revocation: 'no_list' },
    })
  })

  it.each<KeyKind>(['rsa', 'rsa-pss', 'P-256', 'brainpoolP256r1', 'brainpoolP384r1', 'explicit'])(
    'is authenticated by keys of %s',
    async (kind) => {
      const country = newCountry('FR', kind)
      expect(await authenticated(makeChip({ signer: country.signer, lines, portrait }), imported([country.authority]))).toMatchObject({
        signature: 'valid',
        signer: { state: 'trusted' },
      })
    },
  )

  it.each(['sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const)('is verified with hashes of %s', async (hash) => {
    const chip = makeChip({ signer, lines, portrait, hash })
    expect(await authenticated(chip)).toMatchObject({ altered: [], signature: 'valid' })
    expect(await authenticated({ ...chip, dg2: changed(chip.dg2) })).toMatchObject({ altered: ['dg2'], signature: 'valid' })
  })

  it('reports an altered, added or exchanged data group', async () => {
    const chip = makeChip({ signer, lines, portrait })
    const another = makeChip({ signer, lines: linesTd1(generateHolder(6, { issuingCountry: 'FRA' })), portrait })
    expect((await authenticated({ ...chip, dg1: another.dg1 })).altered).toEqual(['dg1'])
    expect((await authenticated({ ...chip, dg15: tagged(0x6f, Buffer.of(1)) })).altered).toEqual(['dg15'])
  })

  it('reports an invalid signature, whether the signature or the signed content was changed', async () => {
    const chip = makeChip({ signer, lines, portrait })
    expect((await authenticated({ ...chip, sod: changed(chip.sod) })).signature).toBe('invalid')
    // a signed hash, exchanged for that of another portrait
    const other = makeChip({ signer, lines, portrait: Buffer.from('ffd8ffe1', 'hex') })
    const [ownHash, otherHash] = [chip.dg2, other.dg2].map((file) => createHash('sha256').update(file).digest())
    const sod = Buffer.from(chip.sod)
    const at = sod.indexOf(ownHash ?? '')
    otherHash?.copy(sod, at)
    expect(await authenticated({ ...chip, sod, dg2: other.dg2 })).toMatchObject({ altered: [], signature: 'invalid' })
  })

  it('does not accept a signature of a short key', async () => {
    const weak = certificate({ name: 'Weak', country: 'FR', keys: keysOf('weak', 'rsa-1024'), issuer: authority, serial: 9 })
    expect((await authenticated(makeChip({ signer: weak, lines, portrait }))).signature).toBe('unverifiable')
  })
})

/** Returns a copy with another last byte. */
const changed = (bytes: Uint8Array): Buffer => {
  const copy = Buffer.from(bytes)
  copy.writeUInt8((copy.at(-1) ?? 0) ^ 1, copy.length - 1)
  return copy
}

describe('the signer of a chip', () => {
  const stateOf = async (by: MadeCertificate, certificates: CountryCertificates, signedAt?: string) =>
    (await authenticated(makeChip({ signer: by, lines, portrait, ...(signedAt !== undefined && { signedAt }) }), certificates)).signer

  it('is unknown without country certificates, with the reason', async () => {
    expect(await stateOf(signer, imported([]))).toEqual({ state: 'unknown', why: 'no_country_certificates' })
  })

  it('is unknown when it is self-signed, or signed by another authority of the same name', async () => {
    const self = certificate({ name: 'Self', country: 'FR', keys: keysOf('self') })
    expect(await stateOf(self, imported([authority]))).toEqual({ state: 'unknown', why: 'not_issued_by_its_country' })
    const double = certificate({ name: authority.name, country: 'FR', keys: keysOf('double'), isAuthority: true })
    const forged = certificate({ name: 'Forged', country: 'FR', keys: keysOf('forged'), issuer: double })
    expect(await stateOf(forged, imported([authority]))).toEqual({ state: 'unknown', why: 'not_issued_by_its_country' })
  })

  it('is unknown when it is of another country', async () => {
    const other = newCountry('DE')
    expect(await stateOf(other.signer, imported([other.authority, authority]))).toEqual({
      state: 'unknown',
      why: 'not_issued_by_its_country',
    })
  })

  it('must not be an authority itself', async () => {
    expect(await stateOf(authority, imported([authority]))).toEqual({ state: 'unknown', why: 'not_a_signer_of_documents' })
  })

  it('is found through a link certificate between two keys of the country', async () => {
    const next = { name: 'Next of FR', country: 'FR', keys: keysOf('next', 'brainpoolP256r1') }
    const link = certificate({ ...next, issuer: authority, serial: 3, isAuthority: true })
    const linked = certificate({ name: 'Linked', country: 'FR', keys: keysOf('linked'), issuer: next, serial: 4 })
    expect(await stateOf(linked, imported([link, authority]))).toMatchObject({ state: 'trusted' })
    expect(await stateOf(linked, imported([link]))).toMatchObject({ state: 'unknown' })
  })

  it('is unknown when certificates only sign each other', async () => {
    const [one, two] = ['one', 'two'].map((name) => ({ name, country: 'FR', keys: keysOf(name) })) as [MadeCertificate, MadeCertificate]
    const circle = [certificate({ ...one, issuer: two, isAuthority: true }), certificate({ ...two, issuer: one, isAuthority: true })]
    const inside = certificate({ name: 'Inside', country: 'FR', keys: keysOf('inside'), issuer: one })
    expect(await stateOf(inside, imported(circle))).toMatchObject({ state: 'unknown' })
  })

  it('must have been valid when it signed, not at the time of verification', async () => {
    const ended = certificate({ name: 'Ended', country: 'FR', keys: keysOf('ended'), issuer: authority, serial: 5, until: '2024-01-01' })
    expect(await stateOf(ended, imported([authority]), '2023-06-01')).toMatchObject({ state: 'trusted' })
    expect(await stateOf(ended, imported([authority]), '2024-06-01')).toEqual({ state: 'expired' })
    expect(await stateOf(ended, imported([authority]))).toEqual({ state: 'expired' })
  })

  it('is refused after its country has revoked it, with the state of the revocation list', async () => {
    expect(await stateOf(signer, imported([authority], [revocationList(authority, [signer.serial])]))).toEqual({ state: 'revoked' })
    expect(await stateOf(signer, imported([authority], [revocationList(authority, [99])]))).toEqual({
      state: 'trusted',
      revocation: 'not_revoked',
    })
    const old = revocationList(authority, [], '2025-01-01', '2025-03-01')
    expect(await stateOf(signer, imported([authority], [old]))).toEqual({ state: 'trusted', revocation: 'list_overdue' })
  })
})

describe('malformed chip files', () => {
  const chip = makeChip({ signer, lines, portrait })

  it.each<[string, Partial<SubmittedChip>, RegExp]>([
    ['an empty security object', { sod: Buffer.alloc(0) }, /^sod: a required element is missing/],
    ['a truncated security object', { sod: chip.sod.subarray(0, 300) }, /^sod: it is truncated/],
    ['noise', { sod: tagged(0x77, sequenceOfNoise()) }, /^sod: /],
    ['endless nesting', { sod: tagged(0x77, nested(9000)) }, /^sod: it is not ASN.1/],
    ['endless sequences', { sod: tagged(0x77, tagged(0x30, Buffer.alloc(60_000, Buffer.of(5, 0)))) }, /^sod: it is not ASN.1/],
    ['another file', { dg1: chip.dg2 }, /^dg1: /],
    ['a truncated data group', { dg2: chip.dg2.subarray(0, chip.dg2.length - 1) }, /^dg2: it is truncated/],
    [
      'a zone of an unknown format',
      { dg1: tagged(0x61, tagged(0x5f1f, Buffer.from('P<FRA'))) },
      /^dg1: the machine-readable zone is invalid/,
    ],
  ])('%s', async (_, files, sentence) => expect(await problemOf({ ...chip, ...files })).toMatch(sentence))

  it('are reported without their content', async () => {
    const lettered = tagged(0x61, tagged(0x5f1f, Buffer.from('secret words'.repeat(8).slice(0, 88))))
    expect(await problemOf({ ...chip, dg1: lettered })).not.toContain('secret')
  })
})

function nested(depth: number): Buffer {
  let bytes: Buffer = Buffer.of(5, 0)
  for (let level = 0; level < depth; level++) bytes = tagged(0x30, bytes)
  return bytes
}

const sequenceOfNoise = (): Buffer => tagged(0x30, Buffer.from('00112233445566778899aabbccddeeff', 'hex'))
