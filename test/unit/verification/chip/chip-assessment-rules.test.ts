import { describe, expect, it } from 'vitest'
import { generateHolder } from '../../../../demonstration/documents/holder.ts'
import { linesTd3 } from '../../../../demonstration/documents/machine-readable-lines.ts'
import type { PageQuality } from '../../../../engines/document-reader/document-reader.ts'
import { assess } from '../../../../subgraphs/verification/assessment/cross-validation.ts'
import type { ChipEvidence, Evidence, FaceEvidence, PortraitEvidence } from '../../../../subgraphs/verification/checks/evidence.ts'
import type { PassiveAuthentication } from '../../../../subgraphs/verification/chip/passive-authentication.ts'
import { parseMrz } from '../../../../subgraphs/verification/document/machine-readable-zone.ts'

const now = Date.UTC(2026, 5, 15)
const holder = generateHolder(5, {
  firstName: 'Awa',
  lastName: 'Diop',
  dateOfBirth: '1987-07-14',
  sex: 'F',
  nationality: 'SEN',
  issuingCountry: 'SEN',
})
const lines = linesTd3({ ...holder, expires: '2031-05-20' })
const face: FaceEvidence = {
  ...{ width: 200, score: 0.99, sharpness: 500, brightness: 130, highlight: 230, shareDark: 0, shareBright: 0 },
  covering: { eyes: -0.2, mouth: -0.2 },
  apparentAge: 38,
}
const quality: PageQuality = { sharpness: 9000, brightness: 0.85, glare: 0, cutSides: 0, ink: 0.05 }

const proven: PassiveAuthentication = {
  hash: 'SHA-256',
  altered: [],
  signature: 'valid',
  signer: { state: 'trusted', revocation: 'not_revoked' },
}
const portrait: PortraitEvidence = { face, likeness: { distance: 0.3 } }
const zone = parseMrz('TD3', lines, now)
const chipWith = (change: Partial<Exclude<ChipEvidence, { problem: string }>> = {}): ChipEvidence => ({
  authentication: proven,
  zone,
  portrait,
  ...change,
})

/** A passport without a readable picture; the selfie is good. */
const unread: Evidence = {
  declared: { firstName: 'Awa', lastName: 'Diop', dateOfBirth: '1987-07-14', gender: 'F', nationality: 'SN' },
  documentType: 'PASSPORT',
  countryCode: 'SN',
  selfie: { width: 1000, faces: [face] },
  front: { width: 1000, faces: [{ ...face, width: 40 }] },
  faceLikeness: { distance: 0.55 },
  frontText: { width: 1000, height: 700, rotation: 0, skew: 0, lines: [], confidence: 0, quality: { ...quality, glare: 0.05 } },
  now,
}
const mrzOf = (read: readonly string[], settled = true) => ({
  format: 'TD3' as const,
  lines: [...read],
  confidence: 0.95,
  repairs: [],
  readings: 1,
  settled,
})
const printed = (read: readonly string[]): Partial<Evidence> => ({
  frontText: { width: 1000, height: 700, rotation: 0, skew: 0, lines: [], confidence: 0.9, quality, mrz: mrzOf(read) },
})
const judged = (chip: ChipEvidence | undefined, change: Partial<Evidence> = {}) => {
  const { outcome, crossValidations } = assess({ ...unread, ...change, ...(chip && { chip }) })
  return { outcome, reasons: crossValidations.reasons, chip: crossValidations.chip }
}

describe('a document with an unreadable print', () => {
  it('goes to review without a chip', () => {
    const { outcome, reasons, chip } = judged(undefined)
    expect([outcome, chip]).toEqual(['pending_review', undefined])
    expect(reasons).toContain('ocr_unreadable')
  })

  it('is verified by a proven chip, and the answer lists what the chip outweighed', () => {
    const { outcome, reasons, chip } = judged(chipWith())
    expect([outcome, reasons]).toEqual(['verified', []])
    expect(chip).toMatchObject({
      decisive: true,
      outweighed: expect.arrayContaining(['ocr_unreadable', 'face_mismatch', 'glare_on_photo']),
    })
  })

  it.each<[string, Partial<PassiveAuthentication>, string, string]>([
    ['an altered data group', { altered: ['dg2'] }, 'rejected', 'chip_altered'],
    ['an invalid signature', { signature: 'invalid' }, 'rejected', 'chip_signature_invalid'],
    ['a signature with an unknown algorithm', { signature: 'unverifiable' }, 'pending_review', 'chip_unreadable'],
    ['no country certificates', { signer: { state: 'unknown', why: 'no_country_certificates' } }, 'pending_review', 'chip_signer_unknown'],
    ['a revoked signer', { signer: { state: 'revoked' } }, 'pending_review', 'chip_signer_revoked'],
    ['an expired signer', { signer: { state: 'expired' } }, 'pending_review', 'chip_signer_expired'],
  ])('is never verified with %s', (_, change, expected, reason) => {
    const { outcome, reasons, chip } = judged(chipWith({ authentication: { ...proven, ...change } }))
    expect([outcome, chip?.decisive, chip?.outweighed]).toEqual([expected, false, []])
    expect(reasons).toContain(reason)
  })

  it('is verified by a chip that passes active authentication, goes to review if it fails, and is unaffected if the result is unknown', () => {
    const authentic = judged(chipWith({ activeAuthentication: { result: 'held' } }))
    expect([authentic.outcome, authentic.chip?.activeAuthentication?.result, authentic.chip?.decisive]).toEqual(['verified', 'clear', true])
    const copy = judged(chipWith({ activeAuthentication: { result: 'not_held' } }))
    expect([copy.outcome, copy.chip?.activeAuthentication?.result, copy.chip?.decisive]).toEqual(['pending_review', 'consider', false])
    expect(copy.reasons).toContain('chip_not_genuine')
    const undecided = judged(chipWith({ activeAuthentication: { result: 'unknown', why: 'the key is too short' } }))
    expect([undecided.outcome, undecided.chip?.activeAuthentication]).toEqual([
      'verified',
      { result: 'unidentified', properties: [{ key: 'note', text: 'the key is too short' }] },
    ])
    expect(judged(chipWith()).chip).not.toHaveProperty('activeAuthentication')
  })

  it.each<[string, PortraitEvidence, string, string]>([
    ['of another person', { face, likeness: { distance: 0.9 } }, 'rejected', 'face_mismatch'],
    ['of an uncertain match', { face, likeness: { distance: 0.55 } }, 'pending_review', 'face_mismatch'],
    ['without a face', { face: undefined, likeness: undefined }, 'pending_review', 'chip_portrait_unreadable'],
    ['that cannot be decoded', { problem: 'image_too_large' }, 'pending_review', 'chip_portrait_unreadable'],
  ])('is not verified by a portrait %s', (_, other, expected, reason) => {
    const { outcome, reasons } = judged(chipWith({ portrait: other }))
    expect(outcome).toBe(expected)
    expect(reasons).toContain(reason)
  })

  it('is not verified with unreadable files, and the answer names the file', () => {
    const { outcome, reasons, chip } = judged({ problem: 'sod: it is truncated' })
    expect(outcome).toBe('pending_review')
    expect(reasons).toContain('chip_unreadable')
    expect(chip?.dataGroups.properties).toEqual([{ key: 'note', text: 'sod: it is truncated' }])
  })

  it('is not verified by a chip when the selfie is poor or has no face', () => {
    const dark = { ...face, brightness: 30, highlight: 60 }
    expect(judged(chipWith(), { selfie: { width: 1000, faces: [dark] } }).reasons).toContain('dark_photo')
    expect(judged(chipWith({ portrait: { face, likeness: undefined } }), { selfie: { width: 1000, faces: [] } }).outcome).toBe(
      'pending_review',
    )
    expect(judged(chipWith(), { selfie: { width: 1000, faces: [face, face] } }).reasons).toContain('multiple_faces_selfie')
  })

  it('is not verified by a chip when the document of another person lies beside it', () => {
    const { outcome, chip } = judged(chipWith(), { front: { ...unread.front, otherPersons: 1 } })
    expect([outcome, chip?.outweighed]).toEqual(['pending_review', []])
  })

  it('is not verified by a chip when the document contradicts itself', () => {
    const zone = { ...mrzOf(lines), lines: [...lines] }
    const other = { ...zone, lines: linesTd3({ ...holder, expires: '2031-05-20', lastName: 'Sarr' }) }
    const side = { width: 1000, height: 700, rotation: 0 as const, skew: 0, lines: [], confidence: 0.9, quality }
    const { outcome, reasons } = judged(chipWith(), { frontText: { ...side, mrz: zone }, hasBack: true, backText: { ...side, mrz: other } })
    expect([outcome, reasons]).toEqual(['pending_review', ['name_mismatch']])
  })

  it('is expired when its chip has expired', () => {
    expect(judged(chipWith({ zone: parseMrz('TD3', linesTd3({ ...holder, expires: '2025-01-01' }), now) })).reasons).toContain(
      'document_expired',
    )
  })
})

describe('the holder of a chip', () => {
  const another = linesTd3({ ...holder, firstName: 'Moussa', lastName: 'Ndiaye', dateOfBirth: '1979-02-03', documentNumber: 'XK1234567' })

  it('leads to a rejection when a proven chip has another identity than declared', () => {
    const { outcome, reasons } = judged(chipWith({ zone: parseMrz('TD3', another, now) }))
    expect([outcome, reasons[0]]).toEqual(['rejected', 'chip_mismatch'])
  })

  it('goes to review when the chip is not proven', () => {
    const authentication: PassiveAuthentication = { ...proven, signer: { state: 'unknown', why: 'no_country_certificates' } }
    const { outcome, reasons } = judged(chipWith({ zone: parseMrz('TD3', another, now), authentication }))
    expect(outcome).toBe('pending_review')
    expect(reasons).toContain('chip_mismatch')
  })

  it.each<[string, Partial<Evidence['declared']>]>([
    ['swapped names', { firstName: 'Diop', lastName: 'Awa' }],
    ['no more than names', { dateOfBirth: null, gender: null, nationality: null }],
    ['names in other letters', { firstName: 'awa', lastName: 'DIOP' }],
  ])('matches with %s', (_, change) => {
    expect(judged(chipWith(), { declared: { ...unread.declared, ...change } }).outcome).toBe('verified')
  })

  it('matches by the full details of the chip, when the zone truncates the name or the year', () => {
    const long = { firstName: 'Awa Marième Fatou Bintou Khadidiatou', lastName: 'Diop Ndiaye Mbengue de Saint-Louis' }
    const cut = parseMrz('TD3', linesTd3({ ...holder, ...long, expires: '2031-05-20' }), now)
    const declared = { ...unread.declared, ...long, firstName: 'Khadidiatou' }
    const name = { surname: 'DIOP NDIAYE MBENGUE DE SAINT LOUIS', givenNames: 'AWA MARIEME FATOU BINTOU KHADIDIATOU' }
    expect(judged(chipWith({ zone: cut }), { declared }).outcome).not.toBe('verified')
    expect(judged(chipWith({ zone: cut, details: { name, birth: undefined } }), { declared }).outcome).toBe('verified')
    const birth = { year: 1887, month: 7, day: 14 }
    const older = judged(chipWith({ details: { name: undefined, birth } }))
    expect([older.outcome, older.reasons[0]]).toEqual(['rejected', 'chip_mismatch'])
    expect(judged(chipWith({ details: { name: undefined, birth: { ...birth, year: 1987 } } })).outcome).toBe('verified')
  })

  it('is compared with the printed zone: another document is rejected, a differing field goes to review, a misreading is ignored', () => {
    expect(judged(chipWith(), printed(lines)).chip).toMatchObject({ decisive: true, machineReadableZone: { result: 'clear' } })
    const two = judged(chipWith(), { ...printed(another), declared: unread.declared })
    expect([two.outcome, two.reasons.includes('chip_mismatch')]).toEqual(['rejected', true])
    const one = judged(chipWith(), printed(linesTd3({ ...holder, expires: '2030-05-20' })))
    expect(one.outcome).toBe('pending_review')
    expect(one.reasons).toContain('chip_mismatch')
    const slip = linesTd3({ ...holder, expires: '2031-05-20', documentNumber: holder.documentNumber.replace(/\d/, 'O') })
    const read = judged(chipWith(), printed(slip)).chip?.machineReadableZone.breakdown?.find(({ name }) => name === 'document_number')
    expect(read?.result).not.toBe('clear')
  })
})
