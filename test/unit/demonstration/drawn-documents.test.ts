import { parse } from 'mrz'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { capture, damage } from '../../../demonstration/capture/capture.ts'
import { generateHolder, type Holder } from '../../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../../demonstration/documents/identity-card.ts'
import { checkDigit, linesFrench, linesTd1, linesTd3, transliterate } from '../../../demonstration/documents/machine-readable-lines.ts'
import { drawPassport } from '../../../demonstration/documents/passport.ts'
import { drawFace } from '../../../demonstration/documents/selfie.ts'

const lefevre: Holder = {
  seed: 23,
  firstName: 'Jean-François Noël',
  lastName: "D'Arcy-Lefèvre",
  dateOfBirth: '1962-12-03',
  sex: 'M',
  nationality: 'FRA',
  issuingCountry: 'FRA',
  placeOfBirth: 'Saint-Étienne',
  documentNumber: '12AB34567',
  issued: '2020-02-11',
  expires: '2030-02-11',
}

describe('machine readable lines', () => {
  it('carry the check digits of the examples in ICAO 9303', () => {
    expect(checkDigit('520727')).toBe('3')
    expect(checkDigit('AB2134<<<')).toBe('5')
    expect(
      linesTd3({
        ...lefevre,
        documentNumber: 'L898902C3',
        nationality: 'UTO',
        dateOfBirth: '1974-08-12',
        sex: 'F',
        expires: '2012-04-15',
      })[1],
    ).toMatch(/^L898902C36UTO7408122F1204159/)
  })

  it.each(Array.from({ length: 30 }, (_, seed) => generateHolder(seed)))(
    'are read back by a parser of others: $lastName, $firstName',
    (holder) => {
      for (const lines of [linesTd1(holder), linesTd3(holder)]) {
        const { valid, fields } = parse([...lines])
        expect(valid).toBe(true)
        expect(fields).toMatchObject({
          documentNumber: holder.documentNumber,
          birthDate: holder.dateOfBirth.slice(2).replaceAll('-', ''),
          expirationDate: holder.expires.slice(2).replaceAll('-', ''),
          sex: holder.sex === 'F' ? 'female' : 'male',
          nationality: holder.nationality,
          issuingState: holder.issuingCountry,
          lastName: transliterate(holder.lastName).replaceAll('<', ' '),
          firstName: transliterate(holder.firstName).replaceAll('<', ' '),
        })
      }
    },
  )

  it('of French cards truncate the surname at 25 letters and the given names at 14', () => {
    const holder = { ...lefevre, documentNumber: '970675C00123', lastName: 'Rakotomalala-Andriamanantenasoa' }
    const lines = linesFrench(holder)
    const { format, valid, fields } = parse([...lines])
    expect({ format, valid }).toEqual({ format: 'FRENCH_NATIONAL_ID', valid: true })
    expect(lines[0]?.slice(5, 30)).toBe('RAKOTOMALALA<ANDRIAMANANT')
    expect(lines[1]?.slice(13, 27)).toBe('JEAN<<FRANCOIS')
    expect(fields.documentNumber).toBeTruthy()
  })

  it('continue a document number of more than nine characters in the optional data', () => {
    const [first, second] = linesTd1({ ...lefevre, documentNumber: 'D23145890734' })
    expect(first).toBe('I<FRAD23145890<7349<<<<<<<<<<<')
    expect(second).toHaveLength(30)
  })

  it('transliterate letters as ICAO 9303 does', () => {
    expect(["N'Guessan", 'Ångström', 'Müller-Lüdenscheid', 'Œuvrard', 'Þór', 'Ñandú', ' Ba  Diop '].map(transliterate)).toEqual([
      'NGUESSAN',
      'AANGSTROEM',
      'MUELLER<LUEDENSCHEID',
      'OEUVRARD',
      'THOR',
      'NANDU',
      'BA<DIOP',
    ])
  })
})

describe('drawings', () => {
  it('have the same bytes for the same seed and different bytes for another', async () => {
    const [first, again, other] = await Promise.all([drawFace(5, { noise: 20 }), drawFace(5, { noise: 20 }), drawFace(6, { noise: 20 })])
    expect(first.equals(again)).toBe(true)
    expect(first.equals(other)).toBe(false)
    const [front, same] = await Promise.all([5, 5].map(async (seed) => (await drawIdentityCard(generateHolder(seed))).front))
    expect(front?.equals(same ?? Buffer.alloc(0))).toBe(true)
  })

  it('show the text of the holder: two holders with the same face look different', async () => {
    const [a, b] = await Promise.all([drawPassport(lefevre), drawPassport({ ...lefevre, lastName: 'Sarr' })])
    expect(await difference(a, b)).toBeGreaterThan(0)
    const emptied = await drawPassport({ ...lefevre, lastName: '' }, { lines: [] })
    expect(await inkIn(await drawPassport(lefevre), 0.8)).toBeGreaterThan(10 * (await inkIn(emptied, 0.8)))
  })

  it('have the proportions of cards and passports', async () => {
    const { front, back } = await drawIdentityCard(lefevre)
    expect(await sharp(front).metadata()).toMatchObject({ width: 1002, height: 632, format: 'png' })
    expect(await sharp(back).metadata()).toMatchObject({ width: 1002, height: 632 })
    expect(await sharp(await drawPassport(lefevre, { pixelsPerMillimetre: 8 })).metadata()).toMatchObject({ width: 1000, height: 704 })
  })

  it('degrade by level', async () => {
    const clean = await drawPassport(lefevre)
    const sharpness = async (image: Buffer) => (await sharp(image).stats()).sharpness
    const [scan, bad] = await Promise.all([damage(clean, 'scan'), capture(clean, { blur: 3 })])
    expect(await sharpness(scan)).toBeLessThan(await sharpness(clean))
    expect(await sharpness(bad)).toBeLessThan(await sharpness(scan))
  })
})

/** Returns the mean absolute difference of two pictures of one size, 0 to 255. */
async function difference(a: Buffer, b: Buffer): Promise<number> {
  const [{ data: first }, { data: second }] = await Promise.all(
    [a, b].map((image) => sharp(image).raw().toBuffer({ resolveWithObject: true })),
  ).then(([x, y]) => [x ?? { data: Buffer.alloc(0) }, y ?? { data: Buffer.alloc(0) }] as const)
  return first.reduce((sum, value, i) => sum + Math.abs(value - (second[i] ?? 0)), 0) / first.length
}

/** Returns the share of dark pixels below the given share of the height. */
async function inkIn(image: Buffer, below: number): Promise<number> {
  const { data, info } = await sharp(image).grayscale().raw().toBuffer({ resolveWithObject: true })
  const from = Math.floor(info.height * below) * info.width
  const dark = data.subarray(from).reduce((count, value) => count + (value < 60 ? 1 : 0), 0)
  return (dark + 1) / (data.length - from)
}
