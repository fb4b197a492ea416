import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { bits, empty, generalizedTime, integer, octets, oid, printable, sequence, set, tagged, utf8, yes } from './der.ts'

/** A signing key and its algorithm. `explicit`: the curve is encoded with its parameters. */
export type KeyKind = 'rsa' | 'rsa-pss' | 'P-256' | 'brainpoolP256r1' | 'brainpoolP384r1' | 'explicit' | 'rsa-1024'

export interface Keys {
  readonly kind: KeyKind
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Keys by kind and name: generating an RSA key is slow. */
const keysByName = new Map<string, Keys>()

export function keysOf(name: string, kind: KeyKind = 'P-256'): Keys {
  const cached = keysByName.get(`${kind} ${name}`)
  if (cached !== undefined) return cached
  const keys = { kind, ...newKeys(kind) }
  keysByName.set(`${kind} ${name}`, keys)
  return keys
}

function newKeys(kind: KeyKind): Omit<Keys, 'kind'> {
  if (kind === 'rsa' || kind === 'rsa-pss') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  if (kind === 'rsa-1024') return generateKeyPairSync('rsa', { modulusLength: 1024 })
  if (kind !== 'explicit') return generateKeyPairSync('ec', { namedCurve: kind })
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'brainpoolP256r1', paramEncoding: 'explicit' })
  return { privateKey, publicKey }
}

const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'), empty)

export function algorithmOf(kind: KeyKind): Buffer {
  if (kind === 'rsa' || kind === 'rsa-1024') return sequence(oid('1.2.840.113549.1.1.11'), empty)
  if (kind !== 'rsa-pss') return sequence(oid('1.2.840.10045.4.3.2'))
  const mask = sequence(oid('1.2.840.113549.1.1.8'), sha256)
  return sequence(oid('1.2.840.113549.1.1.10'), sequence(tagged(0xa0, sha256), tagged(0xa1, mask), tagged(0xa2, integer(32))))
}

export function signedBy({ kind, privateKey }: Keys, bytes: Uint8Array): Buffer {
  if (kind !== 'rsa-pss') return sign('sha256', bytes, privateKey)
  return sign('sha256', bytes, { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
}

export interface CertificateOptions {
  readonly name: string
  /** two letters */
  readonly country?: string
  readonly keys: Keys
  /** Self-signed when absent. */
  readonly issuer?: Issuer
  readonly serial?: number
  readonly from?: string
  readonly until?: string
  /** IPv4 addresses of the listeners. */
  readonly addresses?: readonly string[]
  /** Whether the certificate is of an authority. */
  readonly isAuthority?: boolean
}

export interface Issuer {
  readonly name: string
  readonly country?: string
  readonly keys: Keys
}

export interface MadeCertificate extends Issuer {
  readonly der: Buffer
  readonly serial: number
  readonly issuer: Issuer
}

export const nameOf = ({ name, country = 'UT' }: Pick<Issuer, 'name' | 'country'>): Buffer =>
  sequence(set(sequence(oid('2.5.4.6'), printable(country))), set(sequence(oid('2.5.4.3'), utf8(name))))

const keyIdOf = ({ publicKey }: Keys): Buffer =>
  createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()

const extension = (id: string, value: Buffer, isCritical = false): Buffer => sequence(oid(id), ...(isCritical ? [yes] : []), octets(value))

export function certificate(options: CertificateOptions): MadeCertificate {
  const { name, country = 'UT', keys, issuer = { name, country, keys }, serial = 1, isAuthority = false } = options
  const { from = '2020-01-01', until = '2035-01-01', addresses = [] } = options
  const hosts = addresses.map((address) => tagged(0x87, Buffer.from(address.split('.').map(Number))))
  const extensions = [
    extension('2.5.29.14', octets(keyIdOf(keys))),
    extension('2.5.29.35', sequence(tagged(0x80, keyIdOf(issuer.keys)))),
    extension('2.5.29.15', isAuthority ? bits(Buffer.of(0x06), 1) : bits(Buffer.of(0x80), 7), true),
    ...(hosts.length > 0 ? [extension('2.5.29.17', sequence(...hosts))] : []),
    ...(isAuthority ? [extension('2.5.29.19', sequence(yes, integer(0)), true)] : []),
  ]
  const algorithm = algorithmOf(issuer.keys.kind)
  const content = sequence(
    tagged(0xa0, integer(2)),
    integer(serial),
    algorithm,
    nameOf(issuer),
    sequence(generalizedTime(new Date(from)), generalizedTime(new Date(until))),
    nameOf({ name, country }),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  return { name, country, keys, issuer, serial, der: sequence(content, algorithm, bits(signedBy(issuer.keys, content))) }
}

/** A certificate revocation list of an authority. */
export function revocationList(issuer: Issuer, serials: readonly number[], issuedAt = '2026-01-01', dueAt = '2035-01-01'): Buffer {
  const algorithm = algorithmOf(issuer.keys.kind)
  const at = generalizedTime(new Date(issuedAt))
  const revoked = serials.map((serial) => sequence(integer(serial), at))
  const authority = extension('2.5.29.35', sequence(tagged(0x80, keyIdOf(issuer.keys))))
  const content = sequence(
    integer(1),
    algorithm,
    nameOf(issuer),
    at,
    generalizedTime(new Date(dueAt)),
    ...(revoked.length > 0 ? [sequence(...revoked)] : []),
    tagged(0xa0, sequence(authority)),
  )
  return sequence(content, algorithm, bits(signedBy(issuer.keys, content)))
}

/** A country with one key and a document signer. */
export function newCountry(
  country = 'UT',
  kind: KeyKind = 'P-256',
): { readonly authority: MadeCertificate; readonly signer: MadeCertificate } {
  const authority = certificate({ name: `Authority of ${country}`, country, keys: keysOf(`authority ${country}`, kind), isAuthority: true })
  const signer = certificate({
    name: `Signer of ${country}`,
    country,
    keys: keysOf(`signer ${country}`, kind),
    issuer: authority,
    serial: 7,
  })
  return { authority, signer }
}
