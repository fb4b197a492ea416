import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { contentOf } from '../../../../subgraphs/verification/document/document-facts.ts'
import { sealKeysOf } from '../../../../subgraphs/verification/document/seal-certificates.ts'
import { verifySeal } from '../../../../subgraphs/verification/document/verify-seal.ts'
import { certificate, keysOf } from '../../../support/chips/country.ts'
import { base32 } from '../../../support/samples/base32.ts'

const now = Date.UTC(2026, 5, 15)
const read = (text: string, bytes = Buffer.from(text)) => contentOf({ symbology: 'DataMatrix', text, bytes }, now)

/** The identity document and the zone in the 2D-Doc specification 3.1.3. */
const identity = [
  'DC03FR000001092D1636070160NATACHA\x1d62SPECIMEN\x1d65P 6607CD12304\x1d67FR68F6CFR\x1f',
  'EYLJXYH5R3HYO5YWTMELK7P277KKOK5TTNB26S6UAPDH2KJGT37YXNDEZTGEK2LX3OSRNAXOP4UHFWHNTOU6LTOSBMX2EBCQ36UZ4FA',
].join('')
const zone = [
  'DC03FR000001092D163608016FP FRASPECIMEN  NATACHA                      07CD123044FRA7307122F1603062',
  '              04\x1d\x1fTYXD5GHX',
].join('')

describe('a 2D-Doc', () => {
  it('contains the holder of an identity document, and the seal over its message', () => {
    const content = read(identity)
    expect(content).toMatchObject({ standard: '2d_doc', surname: 'SPECIMEN', givenNames: 'NATACHA', number: '07CD12304' })
    expect(content?.seal).toMatchObject({ certificate: 'FR000001', signed: Buffer.from(identity.slice(0, identity.indexOf('\x1f'))) })
    expect(content?.seal?.signature.toString('hex')).toMatch(/^26169be0fd8ecf87.*50dfa99e14$/)
  })

  it('contains the holder in a machine-readable zone', () => {
    expect(read(zone)).toMatchObject({
      surname: 'SPECIMEN',
      givenNames: 'NATACHA',
      number: '07CD12304',
      birth: { year: 1973, month: 7, day: 12 },
    })
  })

  it.each([
    ['P-256', 'sha256'],
    ['P-384', 'sha384'],
  ] as const)(
    'is genuine with the key of its certificate (%s), forged with any other content, and unknown without the key',
    (namedCurve, hash) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
      const signed = 'DC04FR03AV01FFFF16360701FR62SPECIMEN\x1d6912071973'
      const signature = sign(hash, Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      const sealed = (message: string) => read(`${message}\x1f${base32(signature)}`)?.seal
      const seal = sealed(signed)
      if (seal === undefined) throw new Error('no seal')
      const keys = new Map([['FR03AV01', publicKey]])
      expect(seal.signature).toEqual(signature)
      expect(verifySeal(seal, keys)).toBe('genuine')
      expect(verifySeal(seal, new Map())).toBe('unknown')
      const changed = sealed(signed.replace('1973', '1983'))
      expect(changed && verifySeal(changed, keys)).toBe('forged')
      expect(verifySeal({ ...seal, signature: Buffer.alloc(0) }, keys)).toBe('forged')
    },
  )

  it.each(['utf8', 'latin1'] as const)('is genuine by its signed bytes, whatever encoding the reader assumes: %s', (set) => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const text = 'DC04FR03AV01FFFF16360701FR60ÉLÉONORE\x1d62FAÇADE-NUÑEZ'
    const signature = sign('sha256', Buffer.from(text, set), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const sealed = (message: string) => `${message}\x1f${base32(signature)}`
    const content = read(sealed(text), Buffer.from(sealed(text), set))
    expect(content).toMatchObject({ surname: 'FAÇADE-NUÑEZ', givenNames: 'ÉLÉONORE' })
    expect(content?.seal && verifySeal(content.seal, new Map([['FR03AV01', publicKey]]))).toBe('genuine')
    const changed = read(sealed(text), Buffer.from(sealed(text.replace('NUÑEZ', 'NUNEZ')), set))
    expect(changed?.seal && verifySeal(changed.seal, new Map([['FR03AV01', publicKey]]))).toBe('forged')
  })

  it.each(['DC', 'DC05FR000001092D163607', 'DC03', `DC03FR000001092D16360701${'60'.repeat(2000)}`, 'DC03FR000001092D1636070160\x1f\x1f'])(
    'that is malformed yields no data and no error: %s',
    (text) => {
      const { surname, birth, number } = read(text) ?? {}
      expect([surname, birth, number]).toEqual([undefined, undefined, undefined])
    },
  )
})

describe('a folder of seal certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'seals-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const put = (name: string, content: Uint8Array | string): void => writeFileSync(join(folder, name), content)

  it('yields the keys of its certificates by name, and ignores other files', () => {
    put('FR03AV01.der', certificate({ name: 'AV01', keys: keysOf('seal') }).der)
    put('README.txt', 'from the authority')
    expect([...sealKeysOf(folder).keys()]).toEqual(['FR03AV01'])
    expect(sealKeysOf(folder).get('FR03AV01')?.equals(keysOf('seal').publicKey)).toBe(true)
    expect(sealKeysOf(undefined).size).toBe(0)
  })

  it('is refused with the names of invalid files', () => {
    put('FR03AV02.pem', 'not a certificate')
    put('FR03AV03.der', certificate({ name: 'AV03', keys: keysOf('seal', 'brainpoolP256r1') }).der)
    expect(() => sealKeysOf(folder)).toThrow(
      /FR03AV02.pem cannot be used[\s\S]*FR03AV03.der cannot be used: its key is not on one of the curves/,
    )
    expect(() => sealKeysOf(join(folder, 'nowhere'))).toThrow(/VERIFICATION_SEAL_CERTIFICATES cannot be read/)
  })
})

describe('an AAMVA card', () => {
  const card = (subfile: string): string =>
    `@\n\x1e\rANSI 636000100002DL00410278ZV03190008DL${subfile}\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDBD06062019\nDBB01311978\nDBA12102031\nDBC1\n`

  it('contains the holder in the elements of the standard', () => {
    expect(read(card('DAQT64235789\nDCGUSA'))).toEqual({
      standard: 'aamva',
      surname: 'SAMPLE',
      givenNames: 'MICHAEL JOHN',
      birth: { year: 1978, month: 1, day: 31 },
      expiry: { year: 2031, month: 12, day: 10 },
      number: 'T64235789',
    })
  })

  it('has the year first in Canada', () => {
    const canadian = card('DAQT64235789\nDCGCAN').replace('DBB01311978', 'DBB19780131')
    expect(read(canadian)).toMatchObject({ birth: { year: 1978, month: 1, day: 31 } })
    expect(read(canadian)).not.toHaveProperty('expiry')
  })
})

describe('a barcode of an unknown standard', () => {
  it.each(['<script>alert(1)</script>', 'https://example.org/?id=1', '@\n\x1e\rANSI', '\u0000'.repeat(4096), ''])(
    'is not parsed: %j',
    (text) => {
      expect(read(text)).toBeUndefined()
    },
  )
})
