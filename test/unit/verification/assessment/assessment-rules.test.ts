import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { DocumentText, PageQuality, TextLine } from '../../../../engines/document-reader/document-reader.ts'
import { checkDigit } from '../../../../engines/document-reader/mrz/check-digits.ts'
import type { MrzReading } from '../../../../engines/document-reader/mrz/mrz-reading.ts'
import { type Assessment, assess } from '../../../../subgraphs/verification/assessment/cross-validation.ts'
import type { Evidence, FaceEvidence, ImageEvidence } from '../../../../subgraphs/verification/checks/evidence.ts'
import { defaultThresholds, type Thresholds } from '../../../../subgraphs/verification/checks/thresholds.ts'
import { answered } from '../../../support/samples/answered-challenge.ts'
import { base32 } from '../../../support/samples/base32.ts'

const now = Date.UTC(2026, 5, 15)
const face: FaceEvidence = {
  ...{ width: 200, score: 0.99, sharpness: 500, brightness: 130, highlight: 230, shareDark: 0, shareBright: 0 },
  covering: { eyes: -0.2, mouth: -0.2 },
  apparentAge: 38,
}
const image = (...faces: FaceEvidence[]): ImageEvidence => ({ width: 1000, faces })
const quality: PageQuality = { sharpness: 9000, brightness: 0.85, glare: 0, cutSides: 0, ink: 0.05 }

/** Returns lines of words on a grid: 20 px a character, 40 px a line. */
function printed(...lines: string[]): TextLine[] {
  return lines.map((text, row) => {
    const words = [...text.matchAll(/\S+/g)].map(([word], _, all) => ({ word, all })).map(({ word }) => word)
    let from = 0
    const boxes = words.map((word) => {
      const at = text.indexOf(word, from)
      from = at + word.length
      return { text: word, confidence: 0.95, box: { left: 100 + at * 20, top: 60 + row * 40, width: word.length * 20, height: 26 } }
    })
    return { text, confidence: 0.95, box: { left: 100, top: 60 + row * 40, width: text.length * 20, height: 26 }, words: boxes }
  })
}

const page = (lines: TextLine[], mrz?: MrzReading, better: Partial<PageQuality> = {}): DocumentText => ({
  width: 1000,
  height: 630,
  rotation: 0,
  skew: 0,
  lines,
  confidence: lines.length === 0 ? 0 : 0.95,
  quality: { ...quality, ...better },
  ...(mrz === undefined ? {} : { mrz }),
})

const checked = (text: string): string => text + checkDigit(text)

interface Card {
  surname?: string
  names?: string
  birth?: string
  expiry?: string
  number?: string
  sex?: string
  issuer?: string
  code?: string
}

function td1({
  surname = 'DIEME',
  names = 'AISSATOU<BINTOU',
  birth = '870714',
  expiry = '310520',
  number = 'SN4821907',
  sex = 'F',
  issuer = 'SEN',
  code = 'I<',
}: Card = {}): string[] {
  const first = `${code}${issuer}${number}${checkDigit(number)}`.padEnd(30, '<')
  const second = `${birth}${checkDigit(birth)}${sex}${expiry}${checkDigit(expiry)}${issuer}`.padEnd(29, '<')
  return [
    first,
    second + checkDigit(first.slice(5) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18)),
    `${surname}<<${names}`.padEnd(30, '<').slice(0, 30),
  ]
}

const mrz = (lines: string[], more: Partial<MrzReading> = {}): MrzReading => ({
  format: 'TD1',
  lines,
  confidence: 0.95,
  repairs: [],
  readings: 1,
  settled: true,
  ...more,
})

const frontLines = [
  "CARTE NATIONALE D'IDENTITÉ   N° SN4821907",
  'NOM / Surname',
  'DIÉMÉ',
  'PRÉNOMS / Given names',
  'Aïssatou Bintou',
  'SEXE   NATIONALITÉ',
  'F      SEN',
  'DATE DE NAISSANCE',
  '14.07.1987',
]

const genuine: Evidence = {
  declared: { firstName: 'Aïssatou', lastName: 'Diémé', dateOfBirth: '1987-07-14', gender: 'F', nationality: 'SN' },
  documentType: 'CNI',
  countryCode: 'SN',
  selfie: image(face),
  front: image({ ...face, width: 110 }),
  hasBack: true,
  faceLikeness: { distance: 0.35 },
  frontText: page(printed(...frontLines)),
  backText: page(printed("DATE D'EXPIRATION", '20.05.2031'), mrz(td1())),
  now,
}
const judged = (change: Partial<Evidence> = {}): Assessment => assess({ ...genuine, ...change })
const declared = (change: Partial<Evidence['declared']>): Partial<Evidence> => ({ declared: { ...genuine.declared, ...change } })
const without = (...members: (keyof Evidence)[]): Evidence =>
  // the omitted members are optional
  Object.fromEntries(Object.entries(genuine).filter(([name]) => !members.includes(name as keyof Evidence))) as unknown as Evidence
const withFront = (...lines: string[]): Partial<Evidence> => ({ frontText: page(printed(...lines)) })
const changed = (from: string, to: string): Partial<Evidence> => withFront(...frontLines.map((line) => (line === from ? to : line)))
const withZone = (lines: string[], more: Partial<MrzReading> = {}): Partial<Evidence> => ({
  backText: page(printed("DATE D'EXPIRATION", '20.05.2031'), mrz(lines, more)),
})
const bornIn2014: Evidence = {
  ...{ ...genuine, ...changed('14.07.1987', '14.07.2014'), ...withZone(td1({ birth: '140714' })) },
  ...declared({ dateOfBirth: '2014-07-14' }),
}
const outcome = ({ outcome: result, crossValidations: { reasons } }: Assessment) => [result, ...reasons]

describe('a genuine document', () => {
  it('is verified without a reason, and every check is clear', () => {
    const { outcome: result, crossValidations, scores } = judged()
    expect([result, crossValidations.reasons]).toEqual(['verified', []])
    const { reasons: _, dataConsistency, ...groups } = crossValidations
    const checks = [dataConsistency, ...Object.values(groups).flatMap((group) => Object.values(group))]
    expect(checks.map((check) => check?.result)).toEqual(checks.map(() => 'clear'))
    expect(scores).toMatchObject({ mrzValidity: 1, dataMatch: 1 })
    for (const score of Object.values(scores)) expect(score).toBeGreaterThan(0.6)
  })

  it.each<[string, Partial<Evidence>]>([
    ['all given names', declared({ firstName: 'AISSATOU BINTOU' })],
    ['no more than names', declared({ dateOfBirth: null, gender: null, nationality: null })],
    ['swapped names', declared({ firstName: 'Diémé', lastName: 'Aïssatou' })],
    ['a local date', declared({ dateOfBirth: '14 juillet 1987' })],
    [
      'names in Arabic script',
      {
        ...declared({ firstName: 'فاطمة', lastName: 'الشريف' }),
        ...withZone(td1({ surname: 'CHERIF', names: 'FATIMA' })),
        ...withFront('NOM', 'CHERIF', 'PRÉNOMS', 'Fatima'),
      },
    ],
    ['a nationality as an adjective', declared({ nationality: 'sénégalaise' })],
    ['an empty nationality', declared({ nationality: ' ' })],
    ['three letters of a country', { countryCode: 'SEN', ...declared({ nationality: 'SEN' }) }],
  ])('is verified with %s', (_, change) => {
    expect(outcome(judged(change))).toEqual(['verified'])
  })

  it('is verified when a repaired misreading is confirmed by the print, and reports the repair', () => {
    const lines = td1().map((line) => line.replace('SN4821907', 'SN482I907'))
    const proposal = { line: 0, column: 10, from: 'I', to: '1', because: 'check_digits', doubtful: true } as const
    const assessment = judged(withZone(lines, { proposal, readings: 2, settled: false }))
    expect(outcome(assessment)).toEqual(['verified'])
    expect(assessment.scores.mrzValidity).toBeLessThan(1)
    expect(assessment.crossValidations.dataValidation?.mrz.properties).toContainEqual({ key: 'repaired', text: '1:11 I>1 (check_digits)' })
  })
})

describe('a card without a zone', () => {
  const lines = [
    'NOM',
    'DIALLO',
    'PRÉNOMS',
    'Awa',
    'NÉE LE',
    '06.05.1987',
    'À',
    'DAKAR',
    'MÈRE',
    'NDIAYE FATOU',
    "DATE D'EXPIRATION",
    '20.05.2031',
  ]
  const card = (change: Partial<Evidence['declared']>, ...printedLines: string[]): Evidence => ({
    ...genuine,
    declared: { ...genuine.declared, firstName: 'Awa', lastName: 'Diallo', dateOfBirth: '06/05/1987', ...change },
    frontText: page(printed("CARTE NATIONALE D'IDENTITÉ", 'RÉPUBLIQUE DU SÉNÉGAL', ...(printedLines.length > 0 ? printedLines : lines))),
    backText: page(printed('N° SN4821907')),
  })

  it('is verified by its labelled fields', () => {
    expect(outcome(assess(card({})))).toEqual(['verified'])
  })

  it.each<[string, Partial<Evidence['declared']>]>([
    ['the place of birth as the family name', { lastName: 'Dakar' }],
    ['the mother’s name as the family name', { lastName: 'Ndiaye' }],
    ['the family name as the given name', { firstName: 'Diallo' }],
  ])('goes to review with %s', (_, change) => {
    expect(outcome(assess(card(change)))).toEqual(['pending_review', 'name_mismatch'])
  })

  it('goes to review when an unlabelled date is the declared one with day and month swapped', () => {
    const unlabelled = lines.filter((line) => line !== 'NÉE LE')
    expect(outcome(assess(card({}, ...unlabelled)))).toEqual(['verified'])
    expect(outcome(assess(card({ dateOfBirth: '05/06/1987' }, ...unlabelled)))).toEqual(['pending_review', 'ocr_unreadable'])
  })
})

describe('a contradiction', () => {
  it.each<[string, Partial<Evidence>, string[]]>([
    ['the face', { faceLikeness: { distance: 0.8 } }, ['rejected', 'face_mismatch']],
    ['the family name', declared({ lastName: 'Ouédraogo' }), ['rejected', 'name_mismatch']],
    ['the given name', declared({ firstName: 'Mariama' }), ['rejected', 'name_mismatch']],
    ['the date of birth', declared({ dateOfBirth: '1987-07-15' }), ['rejected', 'dob_mismatch']],
    [
      'face and name',
      { faceLikeness: { distance: 0.8 }, ...declared({ lastName: 'Ouédraogo' }) },
      ['rejected', 'face_mismatch', 'name_mismatch'],
    ],
  ])('of the declaration in %s is rejected', (_, change, expected) => {
    expect(outcome(judged(change))).toEqual(expected)
  })

  it.each<[string, Partial<Evidence>, string[]]>([
    ['a letter of the name', declared({ lastName: 'Dieng' }), ['pending_review', 'name_mismatch']],
    [
      'day and month swapped',
      { ...declared({ dateOfBirth: '05/06/1987' }), ...withZone(td1({ birth: '870506' })), ...changed('14.07.1987', '06.05.1987') },
      ['pending_review', 'dob_mismatch'],
    ],
    [
      'day and month in the order of another country, on a card without a zone',
      {
        ...declared({ dateOfBirth: '1987-05-06' }),
        ...changed('14.07.1987', '05.06.1987'),
        backText: page(printed("DATE D'EXPIRATION", '20.05.2031')),
      },
      ['pending_review', 'dob_mismatch'],
    ],
    ['the gender', declared({ gender: 'M' }), ['pending_review', 'gender_mismatch']],
    ['the nationality', declared({ nationality: 'ML' }), ['pending_review', 'nationality_mismatch']],
    ['the kind', { documentType: 'PASSPORT' }, ['pending_review', 'document_type_mismatch']],
    ['the country', { countryCode: 'ML' }, ['pending_review', 'document_type_mismatch']],
    ['a country that there is not', { countryCode: 'WAKANDA' }, ['pending_review', 'document_type_mismatch']],
    ['an unknown nationality', declared({ nationality: 'Wakanda' }), ['pending_review', 'nationality_mismatch']],
  ])('of the declaration in %s goes to review', (_, change, expected) => {
    expect(outcome(judged(change))).toEqual(expected)
  })

  it('between front and back goes to review: a zone proves nothing about a picture without data of its holder', () => {
    const libraryCard = ['BIBLIOTHEQUE MUNICIPALE', 'Carte de lecteur', 'Valable en salle']
    expect(outcome(judged(withFront(...libraryCard)))).toEqual(['pending_review', 'data_inconsistent'])
    // many documents share a date of expiry
    expect(outcome(judged(withFront(...libraryCard, '20.05.2031')))).toEqual(['pending_review', 'data_inconsistent'])
    const school = withFront("CARTE D'IDENTITÉ SCOLAIRE", 'REPUBLIQUE DU SENEGAL', 'NOM', 'SARR', 'DATE DE NAISSANCE', '02.03.1999')
    const card = page(printed(...frontLines, "DATE D'EXPIRATION", '20.05.2031'))
    expect(judged({ ...school, backText: card }).crossValidations.reasons).toContain('data_inconsistent')
    const unlabelled = withFront("CARTE D'IDENTITÉ SCOLAIRE", 'REPUBLIQUE DU SENEGAL', 'Lycée Blaise Diagne')
    expect(outcome(judged({ ...unlabelled, backText: card }))).toEqual(['pending_review', 'data_inconsistent'])
  })

  it.each(['Mme DIÉMÉ', 'Aïssatou Bintou', '14 JUIL 1987', 'SN4821907'])(
    'does not exist when the front shows %s of the zone on its back',
    (line) => {
      const front = withFront("CARTE NATIONALE D'IDENTITÉ", 'REPUBLIQUE DU SENEGAL', line)
      expect(judged(front).crossValidations.reasons).not.toContain('data_inconsistent')
    },
  )

  it('between the printed date and the machine-readable zone is rejected', () => {
    expect(outcome(judged(changed('14.07.1987', '14.07.1992')))).toEqual(['rejected', 'dob_mismatch'])
  })

  it('between the printed name and the machine-readable zone is rejected', () => {
    expect(outcome(judged(changed('DIÉMÉ', 'OUÉDRAOGO')))[0]).toBe('rejected')
    expect(outcome(judged({ ...changed('DIÉMÉ', 'OUÉDRAOGO'), ...declared({ lastName: 'Ouédraogo' }) }))[0]).toBe('rejected')
  })

  it('with a check digit is rejected when a digit was changed in the number and in the printed zone', () => {
    const forged = td1().map((line) => line.replace('SN4821907', 'SN4821901'))
    const assessment = judged({
      ...withZone(forged, { readings: 2 }),
      ...withFront(...frontLines.map((line) => line.replace('SN4821907', 'SN4821901'))),
    })
    expect(outcome(assessment)).toEqual(['rejected', 'mrz_check_digit_failed'])
  })

  it('with a check digit is rejected when a digit of the zone was forged into a look-alike, although one substitution would repair it', () => {
    const forged = td1().map((line) => line.replace('SN4821907', 'SN4821901'))
    const proposal = { line: 0, column: 13, from: '1', to: '7', because: 'check_digits', doubtful: false } as const
    expect(outcome(judged(withZone(forged, { readings: 2, proposal })))).toEqual(['rejected', 'mrz_check_digit_failed'])
  })

  it('with a check digit goes to review when the reader was unsure of the digits', () => {
    const misread = td1().map((line) => line.replace('SN4821907', 'SN4821901'))
    expect(outcome(judged(withZone(misread, { readings: 3, settled: false })))).toEqual(['pending_review', 'mrz_check_digit_failed'])
  })

  it('within the zone of one side is rejected, whatever the zone of the other side', () => {
    const forged = td1().map((line) => line.replace('SN4821907', 'SN4821901'))
    const assessment = judged({ frontText: page(printed(...frontLines), mrz(forged, { readings: 2 })) })
    expect(outcome(assessment)).toEqual(['rejected', 'mrz_check_digit_failed'])
    expect(assessment.crossValidations.dataValidation?.mrz.result).toBe('consider')
    expect(assessment.scores.mrzValidity).toBeLessThan(1)
  })

  it.each<[string, Card, string]>([
    ['date of birth', { birth: '870715' }, 'dob_mismatch'],
    ['surname', { surname: 'OUEDRAOGO' }, 'name_mismatch'],
    ['given names', { names: 'MARIAMA' }, 'name_mismatch'],
    ['number', { number: 'SN4821908' }, 'data_inconsistent'],
    ['expiry', { expiry: '320520' }, 'data_inconsistent'],
  ])('of the zones of two sides in %s goes to review', (_, other, reason) => {
    const assessment = judged({ frontText: page(printed(...frontLines), mrz(td1(other), { confidence: 0.9 })) })
    expect(outcome(assessment)).toEqual(['pending_review', reason])
  })

  it('does not exist when both sides have the same zone', () => {
    expect(outcome(judged({ frontText: page(printed(...frontLines), mrz(td1())) }))).toEqual(['verified'])
  })

  it('is not repaired without confirmation by the print', () => {
    const lines = td1().map((line) => line.replace('SN4821907', 'SN482I907'))
    const proposal = { line: 0, column: 10, from: 'I', to: '1', because: 'check_digits', doubtful: true } as const
    const assessment = judged({
      ...withZone(lines, { proposal, settled: false }),
      ...withFront(...frontLines.map((line) => line.replace('SN4821907', 'SN4827907'))),
    })
    expect(assessment.crossValidations.reasons).toContain('mrz_check_digit_failed')
  })
})

describe('the barcode of a document', () => {
  const elements = (change: Readonly<Record<string, string>> = {}): string =>
    Object.entries({
      DAQ: 'SN4821907',
      DCS: 'DIEME',
      DAC: 'AISSATOU',
      DAD: 'BINTOU',
      DBB: '07141987',
      DBA: '05202031',
      DCG: 'USA',
      ...change,
    })
      .map(([id, value]) => `${id}${value}`)
      .join('\n')
  const withBarcode = (text: string): Partial<Evidence> => ({
    backText: {
      ...page(printed("DATE D'EXPIRATION", '20.05.2031'), mrz(td1())),
      barcodes: [{ symbology: 'PDF417', text, bytes: Buffer.from(text) }],
    },
  })
  const aamva = (change?: Readonly<Record<string, string>>): Partial<Evidence> =>
    withBarcode(`@\n\x1e\rANSI 636000100001DL00310278DL${elements(change)}\n`)

  it('that agrees with zone and print is clear, and does not change the outcome', () => {
    const assessment = judged(aamva())
    expect(outcome(assessment)).toEqual(['verified'])
    expect(assessment.crossValidations.barcodes).toMatchObject({
      result: 'clear',
      properties: [
        { key: 'found', number: 1 },
        { key: 'standards', text: 'aamva' },
      ],
    })
  })

  it.each([
    ['surname', { DCS: 'OUEDRAOGO' }],
    ['given names', { DAC: 'MARIAMA', DAD: '' }],
    ['date of birth', { DBB: '07151987' }],
    ['date of expiry', { DBA: '05202032' }],
    ['number', { DAQ: 'SN4821908' }],
  ])('with another %s goes to review', (_, change) => {
    expect(outcome(judged(aamva(change)))).toEqual(['pending_review', 'barcode_mismatch'])
  })

  it('that contradicts only the print goes to review', () => {
    const text = `@\n\x1e\rANSI 636000100001DL00310278DL${elements({ DCS: 'OUEDRAOGO' })}\n`
    const backText: DocumentText = {
      ...page(printed("DATE D'EXPIRATION", '20.05.2031')),
      barcodes: [{ symbology: 'PDF417', text, bytes: Buffer.from(text) }],
    }
    expect(outcome(judged({ backText }))).toEqual(['pending_review', 'barcode_mismatch'])
  })

  it.each(['<script>alert(1)</script>', '{"name": "OUEDRAOGO"}', '\u0000\u001b[2J'])(
    'of an unknown standard is counted and not shown: %j',
    (text) => {
      const assessment = judged(withBarcode(text))
      expect(outcome(assessment)).toEqual(['verified'])
      expect(assessment.crossValidations.barcodes).toEqual({ result: 'unidentified', properties: [{ key: 'found', number: 1 }] })
      expect(JSON.stringify(assessment)).not.toContain('script')
    },
  )

  const sealed = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signedByAnother = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  it.each([
    ['is signed by its certificate', sealed, ['verified'], 'clear'],
    ['is signed by another key', signedByAnother, ['pending_review', 'barcode_mismatch'], 'consider'],
  ])('whose seal %s', (_, { privateKey }, expected, result) => {
    const message = 'DC04FR03AV01FFFF16360701FR60AISSATOU/BINTOU\x1d62DIEME\x1d66SN4821907\x1d6914071987'
    const signature = sign('sha256', Buffer.from(message), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const sealKeys = new Map([['FR03AV01', sealed.publicKey]])
    const assessment = judged({ ...withBarcode(`${message}\x1f${base32(signature)}`), sealKeys })
    expect(outcome(assessment)).toEqual(expected)
    expect(assessment.crossValidations.barcodes?.result).toBe(result)
  })

  it('is absent from the checks when the document has none', () => {
    expect(judged().crossValidations).not.toHaveProperty('barcodes')
  })
})

describe('a case for review', () => {
  it.each<[string, Evidence, string[]]>([
    [
      'an expired document',
      {
        ...genuine,
        ...withZone(td1({ expiry: '260614' })),
        backText: page(printed("DATE D'EXPIRATION", '14.06.2026'), mrz(td1({ expiry: '260614' }))),
      },
      ['document_expired'],
    ],
    ['a card without its back', without('hasBack', 'backText'), ['missing_back', 'ocr_unreadable']],
    ['no face on the selfie', { ...without('faceLikeness'), selfie: image() }, ['no_face_selfie']],
    ['no face on the document', { ...without('faceLikeness'), front: image() }, ['no_face_document']],
    ['two faces on the selfie', { ...genuine, selfie: image(face, { ...face, width: 90 }) }, ['multiple_faces_selfie']],
    [
      'two faces on the selfie, the larger one of another person',
      { ...genuine, selfie: image(face, { ...face, width: 90 }), faceLikeness: { distance: 0.9 } },
      ['face_mismatch', 'multiple_faces_selfie'],
    ],
    ['a second person on the picture of the document', { ...genuine, front: { ...genuine.front, otherPersons: 1 } }, ['two_documents']],
    ['swapped sides', { ...genuine, front: image(), back: image({ ...face, width: 110 }) }, ['wrong_side']],
    ['a back for a front', { ...genuine, front: image(), frontText: page(printed(...frontLines), mrz(td1())) }, ['wrong_side']],
    ['a front in black and white', { ...genuine, frontText: { ...page(printed(...frontLines)), colour: 0.001 } }, ['copy_of_document']],
    [
      'a front on a screen',
      { ...genuine, frontText: { ...page(printed(...frontLines)), raster: { strength: 3.4, angle: 4 } } },
      ['shown_on_screen'],
    ],
    [
      'a screenshot of the back',
      { ...genuine, ...(genuine.backText && { backText: { ...genuine.backText, blackBars: 0.3 } }) },
      ['shown_on_screen'],
    ],
    [
      'a front printed in dots',
      { ...genuine, frontText: { ...page(printed(...frontLines)), raster: { strength: 3.4, angle: 44 } } },
      ['copy_of_document'],
    ],
    ['a distance near the line', { ...genuine, faceLikeness: { distance: 0.56 } }, ['face_mismatch']],
    [
      'another face, where the selfie is blurred',
      { ...genuine, faceLikeness: { distance: 0.65 }, selfie: image({ ...face, sharpness: 8 }) },
      ['face_mismatch', 'blurred_photo'],
    ],
    ['a selfie in sunglasses', { ...genuine, selfie: image({ ...face, covering: { eyes: 0.6, mouth: -0.2 } }) }, ['sunglasses']],
    ['a selfie behind a mask', { ...genuine, selfie: image({ ...face, covering: { eyes: -0.2, mouth: 0.5 } }) }, ['covered_face']],
    [
      'another face behind a mask, which hides too much of it',
      { ...genuine, faceLikeness: { distance: 0.9 }, selfie: image({ ...face, covering: { eyes: -0.2, mouth: 0.5 } }) },
      ['face_mismatch', 'covered_face'],
    ],
    ['the face of a small child on the selfie', { ...genuine, selfie: image({ ...face, apparentAge: 5 }) }, ['child']],
    ['a child by the date of birth', bornIn2014, ['child']],
    [
      'another face, when the holder is a child: faces of children are similar and change fast',
      { ...bornIn2014, faceLikeness: { distance: 0.9 } },
      ['face_mismatch', 'child'],
    ],
    ['a dark selfie', { ...genuine, selfie: image({ ...face, brightness: 40, highlight: 75 }) }, ['dark_photo']],
    ['a blurred selfie', { ...genuine, selfie: image({ ...face, sharpness: 8 }) }, ['blurred_photo']],
    ['glare on the document', { ...genuine, frontText: page(printed(...frontLines), undefined, { glare: 0.05 }) }, ['glare_on_photo']],
    ['a document cut off', { ...genuine, frontText: page(printed(...frontLines), undefined, { cutSides: 1 }) }, ['cut_off_document']],
    ['no readable text', without('frontText', 'backText'), ['ocr_unreadable']],
    ['an empty text', { ...genuine, frontText: page([]), backText: page([]) }, ['ocr_unreadable']],
    [
      'a sheet of paper',
      { ...without('faceLikeness'), front: image(), frontText: page([], undefined, { ink: 0 }), backText: page([], undefined, { ink: 0 }) },
      ['no_document_in_image', 'no_face_document', 'ocr_unreadable'],
    ],
    [
      'another kind of card',
      {
        ...genuine,
        frontText: page(printed('BIBLIOTHEQUE MUNICIPALE', 'Carte de lecteur', 'Aïssatou DIÉMÉ', '14.07.1987', '20.05.2031')),
        backText: page([]),
      },
      ['unsupported_document'],
    ],
  ])('%s', (_, evidence, reasons) => {
    expect(outcome(assess(evidence))).toEqual(['pending_review', ...reasons])
  })
})

describe('kind and country of a card without a zone', () => {
  const person = ['NOM', 'DIÉMÉ', 'PRÉNOMS', 'Aïssatou Bintou', 'DATE DE NAISSANCE', '14.07.1987', "DATE D'EXPIRATION", '20.05.2031']
  const back = page(printed('DÉLIVRÉE LE 20.05.2021', 'Le Directeur Général', 'Signature du titulaire'))
  const card = (...title: string[]): Partial<Evidence> => ({ ...withFront(...title, ...person), backText: back })

  it.each([
    ['its title and its country', ["CARTE NATIONALE D'IDENTITÉ", 'REPUBLIQUE DU SENEGAL']],
    ['its title and the nationality of its holder', ["CARTE NATIONALE D'IDENTITÉ", 'NATIONALITÉ', 'SEN']],
    ['its title and a nationality read with a slip', ["CARTE NATIONALE D'IDENTITÉ", 'NATIONALITÉ', 'SFN']],
  ])('is verified where it prints %s', (_, title) => {
    expect(outcome(judged(card(...title)))).toEqual(['verified'])
  })

  it('goes to review as unreadable when its back, which may have a zone, could not be read', () => {
    const { backText: _, ...frontAlone } = { ...genuine, ...card("CARTE NATIONALE D'IDENTITÉ") }
    expect(outcome(assess(frontAlone))).toEqual(['pending_review', 'ocr_unreadable'])
  })

  it.each([
    ['neither kind nor country', ['UNIVERSITE CHEIKH ANTA DIOP', 'Carte etudiant']],
    ['no kind', ['UNIVERSITE DU SENEGAL', 'Carte etudiant']],
    ['no country', ["CARTE NATIONALE D'IDENTITÉ"]],
    ['another country', ["CARTE NATIONALE D'IDENTITÉ", 'REPUBLIQUE DU MALI', 'NATIONALITÉ', 'MLI']],
  ])('goes to review where it prints %s', (_, title) => {
    const assessment = judged({ ...card(...title), ...declared({ nationality: null }) })
    expect(outcome(assessment)).toEqual(['pending_review', 'unsupported_document'])
    expect(assessment.crossValidations.imageIntegrity?.supportedDocument.result).toBe('consider')
  })
})

describe('a card without a zone, whose country', () => {
  const lines = ['NOM', 'DIÉMÉ', 'PRÉNOMS', 'Aïssatou Bintou', 'DATE DE NAISSANCE', '14.07.1987', "DATE D'EXPIRATION", '20.05.2031']
  const card = (countryCode: string, title: string, day: number): Assessment =>
    judged({
      ...withFront(title, ...lines),
      ...declared({ nationality: null }),
      countryCode,
      backText: page(printed('Signature du titulaire')),
      now: day,
    })

  it('is in the European Union is verified until the date in the regulation, and not after it', () => {
    const belgian = (day: number): Assessment => card('BE', "CARTE D'IDENTITE BELGIQUE", day)
    expect(outcome(belgian(Date.UTC(2026, 7, 3)))).toEqual(['verified'])
    expect(outcome(belgian(Date.UTC(2026, 7, 5)))).toEqual(['pending_review', 'ocr_unreadable'])
  })

  it.each([
    ['CH', "CARTE D'IDENTITE SUISSE"],
    ['IE', 'IDENTITY CARD IRELAND'],
  ])('issues none is not verified: %s', (country, title) => {
    expect(outcome(card(country, title, now))).toEqual(['pending_review', 'ocr_unreadable'])
  })

  it('issued some that are still valid is verified', () => {
    expect(outcome(card('MA', "CARTE NATIONALE D'IDENTITE ROYAUME DU MAROC", now))).toEqual(['verified'])
  })
})

describe('a passport and the French card', () => {
  const td3 = (names: string, birth = '621203'): MrzReading => {
    const number = 'X4RTBPFW4'
    const body = `${number}${checkDigit(number)}FRA${checked(birth)}M${checked('300211')}${'<'.repeat(14)}`
    const lines = [`P<FRA${names}`.padEnd(44, '<').slice(0, 44), `${body}${checkDigit('<'.repeat(14))}`]
    const second = lines[1] ?? ''
    return mrz([lines[0] ?? '', second + checkDigit(second.slice(0, 10) + second.slice(13, 20) + second.slice(21, 43))], { format: 'TD3' })
  }
  const passport: Evidence = {
    ...without('hasBack', 'backText'),
    documentType: 'PASSPORT',
    countryCode: 'FR',
    declared: { firstName: 'Jean-François', lastName: 'Lefèvre-Moreau', dateOfBirth: '03/12/1962', gender: 'M', nationality: 'FR' },
    frontText: page(printed('PASSEPORT', 'NOM', 'LEFÈVRE-MOREAU', 'PRÉNOMS', 'Jean-François'), td3('LEFEVRE<MOREAU<<JEAN<FRANCOIS')),
  }

  it('needs no back', () => {
    expect(outcome(assess(passport))).toEqual(['verified'])
  })

  it('is verified by its zone alone when nothing else is readable', () => {
    expect(outcome(assess({ ...passport, frontText: page([], td3('LEFEVRE<MOREAU<<JEAN<FRANCOIS')) }))).toEqual(['verified'])
  })

  it('is verified with a name that its zone truncates', () => {
    const long = { ...passport.declared, firstName: 'Wendpagnangdé Pascaline', lastName: 'Rakotomalala-Andrianampoinimerina' }
    const frontText = page(printed('NOM', 'RAKOTOMALALA-ANDRIANAMPOINIMERINA'), td3('RAKOTOMALALA<ANDRIANAMPOINIMERINA<<WEND'))
    expect(outcome(assess({ ...passport, declared: long, frontText }))).toEqual(['verified'])
  })

  it.each(['-', '', 'FNU'])('of a holder with a single name goes to review, whatever the declared given name (%j)', (firstName) => {
    const frontText = page(printed('PASSEPORT', 'NOM', 'SUHARTO'), td3('SUHARTO'))
    const assessment = assess({ ...passport, declared: { ...passport.declared, firstName, lastName: 'Suharto' }, frontText })
    expect(outcome(assessment)).toEqual(['pending_review', 'ocr_unreadable'])
    expect(assessment.crossValidations.dataComparison).toMatchObject({
      lastName: { result: 'clear' },
      firstName: { result: 'unidentified' },
    })
    expect(assessment.scores.nameSimilarity).toBe(1)
  })

  it('does not confirm a given name printed elsewhere when its zone has none', () => {
    const frontText = page(printed('PASSEPORT', 'NOM', 'SUHARTO', 'JAKARTA'), td3('SUHARTO'))
    const declaredNames = { ...passport.declared, firstName: 'Jakarta', lastName: 'Suharto' }
    expect(outcome(assess({ ...passport, declared: declaredNames, frontText }))).toEqual(['pending_review', 'name_mismatch'])
  })

  it.each(['王', 'Παπαδόπουλος', 'አበበ', 'ߊߓߊ'])(
    'goes to review when a name is declared in a script without transliteration: %s',
    (lastName) => {
      expect(outcome(assess({ ...passport, declared: { ...passport.declared, lastName } }))).toEqual(['pending_review', 'ocr_unreadable'])
    },
  )

  it('is not contradicted by a name printed in such a script', () => {
    const frontText = page(printed('NOM', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'), td3('LEFEVRE<MOREAU<<JEAN<FRANCOIS'))
    expect(outcome(assess({ ...passport, frontText }))).toEqual(['verified'])
  })

  describe('of a holder over a hundred years old', () => {
    const aged = (dateOfBirth: string, ...lines: string[]): Evidence => ({
      ...passport,
      declared: { ...passport.declared, dateOfBirth },
      frontText: page(printed('PASSEPORT', ...lines), td3('LEFEVRE<MOREAU<<JEAN<FRANCOIS', '251203')),
    })

    it.each<[string, string[]]>([
      ['the zone alone', []],
      ['zone and printed date', ['DATE DE NAISSANCE', '03.12.1925']],
    ])('is verified by %s', (_, lines) => {
      const assessment = assess(aged('1925-12-03', ...lines))
      expect(outcome(assessment)).toEqual(['verified'])
      expect(assessment.crossValidations.dataValidation?.dateOfBirth.properties).toContainEqual({ key: 'date', text: '1925-12-03' })
    })

    it('is rejected when the printed year is the later one, or the declared day is another', () => {
      expect(outcome(assess(aged('1925-12-03', 'DATE DE NAISSANCE', '03.12.2025')))).toEqual(['rejected', 'dob_mismatch'])
      expect(outcome(assess(aged('1925-12-04')))).toEqual(['rejected', 'dob_mismatch'])
      expect(outcome(assess(aged('2025-12-03', 'DATE DE NAISSANCE', '03.12.1925')))).toEqual(['rejected', 'dob_mismatch'])
    })
  })

  it('is verified by the French card, whose surname is cut at 25 and given names at 14 characters', () => {
    const first = `IDFRA${'RAKOTOMALALA<ANDRIANAMPOI'}75C001`
    const second = `970475C00123${checkDigit('970475C00123')}JEAN<<FRANCOIS${checked('621203')}M`
    const card: Evidence = {
      ...genuine,
      countryCode: 'FRA',
      declared: { ...passport.declared, lastName: 'Rakotomalala Andrianampoinimerina', firstName: 'Jean François Emmanuel' },
      frontText: page(printed("CARTE NATIONALE D'IDENTITÉ"), mrz([first, second + checkDigit(first + second)], { format: 'FRA_CNI' })),
      backText: page(printed('CARTE VALABLE JUSQU’AU : 11.02.2030')),
    }
    expect(outcome(assess(card))).toEqual(['verified'])
    const expired = { ...card, backText: page(printed('CARTE VALABLE JUSQU’AU : 11.02.2020')) }
    expect(outcome(assess(expired))).toEqual(['pending_review', 'document_expired'])
  })
})

describe('a declared identity of a megabyte', () => {
  const letters = 'DIEME '.repeat(180_000)
  const dates = Array.from({ length: 100_000 }, (_, n) => `${1 + (n % 28)}.${1 + (n % 12)}.${1900 + (n % 100)}`).join(' ')
  it.each([
    ['a name of many words', declared({ firstName: letters, lastName: letters })],
    ['a name of one word', declared({ firstName: letters.replaceAll(' ', ''), lastName: letters.replaceAll(' ', '') })],
    ['a name in Arabic script', declared({ firstName: 'محمد'.repeat(250_000), lastName: 'محمد'.repeat(250_000) })],
    ['a name and blanks', declared({ lastName: `Diémé${' '.repeat(1_000_000)}Sow` })],
    ['many dates', declared({ dateOfBirth: dates })],
    // comparing every pair of letters would exceed the test timeout
  ])('of %s is assessed, and not verified', (_, change) => {
    expect(judged(change).outcome).not.toBe('verified')
  })
})

describe('a page with the maximum number of words', () => {
  const row = (word: string) => Array.from({ length: 20 }, () => word).join(' ')
  const hundred = (letters: string) => Array.from({ length: 100 }, (_, at) => letters.charAt(at % letters.length)).join(' ')
  // comparing each of its words with each word of a name took minutes
  it.each([
    ['letters', row('X'), hundred('HGFEDCBA')],
    ['labels', row('N'), 'Diémé'],
    ['Arabic letters', row('مهم'), hundred('MAHD')],
    ['signs', row('😀'), 'Diémé'],
  ])('of %s is assessed, and not verified', (_, line, name) => {
    const frontText = page(printed(...Array.from({ length: 30 }, () => line)))
    expect(judged({ frontText, ...declared({ firstName: name, lastName: name }) }).outcome).not.toBe('verified')
  })
})

describe('names printed only in Arabic script', () => {
  const arabic = withFront(
    "CARTE NATIONALE D'IDENTITÉ",
    'RÉPUBLIQUE DU SÉNÉGAL',
    'محمد الأمين',
    'ولد أحمد',
    'DATE DE NAISSANCE',
    '14.07.1987',
  )
  const namesOf = (firstName: string, lastName: string) => {
    const evidence = { ...genuine, ...arabic, backText: page(printed('N° SN4821907')), ...declared({ firstName, lastName }) }
    const { dataComparison } = assess(evidence).crossValidations
    return [dataComparison?.firstName?.result, dataComparison?.lastName?.result]
  }

  it('are compared with names declared in Latin script', () => {
    expect(namesOf('Mohamed El Amine', 'Ould Ahmed')).toEqual(['clear', 'clear'])
    expect(namesOf('Mohamed', 'Ahmed')).toEqual(['clear', 'clear'])
  })

  it('do not confirm another name', () => {
    expect(namesOf('Fatima', 'Benali')).toEqual(['unidentified', 'unidentified'])
    expect(namesOf('Mahmoud', 'Ahmed')[0]).not.toBe('clear')
  })
})

describe('two face networks', () => {
  it.each<[string, { distance: number; cosine: number }, string[]]>([
    ['agree on one person', { distance: 0.62, cosine: 0.41 }, ['verified']],
    ['agree on two', { distance: 0.66, cosine: 0.24 }, ['rejected', 'face_mismatch']],
    ['disagree: only the distance is near', { distance: 0.3, cosine: 0.2 }, ['pending_review', 'face_mismatch']],
    ['disagree: only the cosine is near', { distance: 0.7, cosine: 0.6 }, ['pending_review', 'face_mismatch']],
    ['are not sure', { distance: 0.5, cosine: 0.3 }, ['pending_review', 'face_mismatch']],
  ])('%s', (_, faceLikeness, expected) => {
    expect(outcome(assess({ ...genuine, faceLikeness }))).toEqual(expected)
  })

  it('never verify a poor face, and reject it only at a distance that poor quality does not explain', () => {
    const blurred = { selfie: image({ ...face, sharpness: 8 }) }
    const judge = (faceLikeness: { distance: number; cosine: number }) => outcome(assess({ ...genuine, ...blurred, faceLikeness }))
    expect(judge({ distance: 0.3, cosine: 0.7 })).toEqual(['pending_review', 'blurred_photo'])
    expect(judge({ distance: 0.7, cosine: 0.1 })).toEqual(['pending_review', 'face_mismatch', 'blurred_photo'])
    expect(judge({ distance: 0.8, cosine: 0.1 })).toEqual(['rejected', 'face_mismatch', 'blurred_photo'])
  })

  it('verify a soft face within the distance, and reject it only where a poor one is rejected', () => {
    const soft = { selfie: image({ ...face, sharpness: 40 }) }
    const judge = (faceLikeness: { distance: number; cosine?: number }) => outcome(assess({ ...genuine, ...soft, faceLikeness }))
    expect(judge({ distance: 0.3, cosine: 0.7 })).toEqual(['verified'])
    expect(judge({ distance: 0.3 })).toEqual(['verified'])
    expect(judge({ distance: 0.7, cosine: 0.1 })).toEqual(['pending_review', 'face_mismatch'])
    expect(judge({ distance: 0.7 })).toEqual(['pending_review', 'face_mismatch'])
    expect(judge({ distance: 0.8, cosine: 0.1 })).toEqual(['rejected', 'face_mismatch'])
  })

  it('are named beside their measurements, and determine the score', () => {
    const { crossValidations, scores } = assess({ ...genuine, faceLikeness: { distance: 0.5, cosine: 0.25 }, faceModel: 'two networks' })
    expect(crossValidations.faceComparison?.faceMatch.properties).toEqual([
      { key: 'distance', number: 0.5 },
      { key: 'threshold', number: 0.62 },
      { key: 'cosine', number: 0.25 },
      { key: 'verdict', text: 'uncertain' },
      { key: 'model', text: 'two networks' },
    ])
    expect(scores.faceMatch).toBe(0.5)
  })
})

describe('every configurable threshold', () => {
  const selfieOf = (change: Partial<FaceEvidence>): Partial<Evidence> => ({ selfie: image({ ...face, ...change }) })
  const front = (better: Partial<PageQuality>): Partial<Evidence> => ({ frontText: page(printed(...frontLines), undefined, better) })
  const withoutMrz = { backText: page(printed("DATE D'EXPIRATION", '20.05.2031')) }
  const anotherName = declared({ lastName: 'Diéma' })
  const cases: Readonly<Record<keyof Thresholds, readonly [moved: number, evidence: Partial<Evidence>]>> = {
    faceSame: [0.3, {}],
    faceOther: [0.7, { faceLikeness: { distance: 0.65 } }],
    faceOtherPoor: [0.65, { faceLikeness: { distance: 0.7 }, ...selfieOf({ sharpness: 50 }) }],
    likenessSame: [0.6, { faceLikeness: { distance: 0.3, cosine: 0.5 } }],
    likenessOther: [0.35, { faceLikeness: { distance: 0.7, cosine: 0.3 } }],
    faceApart: [0.55, { faceLikeness: { distance: 0.6, cosine: 0.5 } }],
    duplicateDistance: [0.2, { duplicates: { model: 'dlib', hits: [{ id: 1, distance: 0.3 }], searched: 9, isWhole: true } }],
    duplicateLikeness: [0.9, { duplicates: { model: 'sface', hits: [{ id: 1, distance: 0.6 }], searched: 9, isWhole: true } }],
    headTurn: [0.3, { liveness: answered }],
    headUp: [0.3, { liveness: answered }],
    eyesClosed: [0.1, { liveness: answered }],
    faceCloser: [1.5, { liveness: { ...answered, steps: ['turn_left', 'look_up', 'move_closer'] } }],
    faceWidth: [120, {}],
    faceSharpness: [600, {}],
    faceSoft: [40, { faceLikeness: { distance: 0.7 }, ...selfieOf({ sharpness: 50 }) }],
    eyesCovered: [0.05, selfieOf({ covering: { eyes: 0.2, mouth: -0.2 } })],
    mouthCovered: [0.05, selfieOf({ covering: { eyes: -0.2, mouth: 0.2 } })],
    childYears: [40, {}],
    childFace: [40, {}],
    portraitShare: [0.05, withFront('X')],
    faceDark: [140, selfieOf({ highlight: 100 })],
    faceHighlight: [130, selfieOf({ brightness: 50, highlight: 120 })],
    faceBright: [120, {}],
    nameSame: [0.7, anotherName],
    nameOther: [0.9, anotherName],
    textSure: [0.99, { ...withoutMrz, ...declared({ dateOfBirth: '1986-03-25' }) }],
    textReadable: [0.99, withFront("CARTE NATIONALE D'IDENTITÉ", 'RÉPUBLIQUE DU SÉNÉGAL', 'NOM', 'NDIAYE')],
    pageSharpness: [10_000, {}],
    pageDark: [0.9, {}],
    pageGlare: [0.001, front({ glare: 0.005 })],
    pageInk: [0.1, front({ sharpness: 500 })],
    pageColour: [0.2, { frontText: { ...page(printed(...frontLines)), colour: 0.1 } }],
    pageRaster: [1.5, { frontText: { ...page(printed(...frontLines)), raster: { strength: 2, angle: 2 } } }],
    pageBars: [0.01, { frontText: { ...page(printed(...frontLines)), blackBars: 0.05 } }],
  }
  const allCases = Object.entries(cases)

  it.each(allCases)('changes an outcome: %s', (name, [moved, evidence]) => {
    const allEvidence = { ...genuine, ...evidence }
    expect(outcome(assess(allEvidence, { ...defaultThresholds, [name]: moved }))).not.toEqual(outcome(assess(allEvidence)))
  })
})
