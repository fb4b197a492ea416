import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { damage } from '../../../demonstration/capture/capture.ts'
import { drawFace } from '../../../demonstration/documents/selfie.ts'
import { languageFile } from '../../../engines/document-reader/text-engine/text-language-data.ts'
import { threadedDocumentReader } from '../../../engines/document-reader/worker/threaded-document-reader.ts'
import { onnxFaceAnalyser } from '../../../engines/face-analyser/onnx-face-analyser.ts'
import { silentLog } from '../../../foundation/log.ts'
import { VerifyIdentity } from '../../../subgraphs/verification/assessment/verify-identity.ts'
import { defaultThresholds } from '../../../subgraphs/verification/checks/thresholds.ts'
import type { DeclaredIdentity } from '../../../subgraphs/verification/submission/submission.ts'
import type { JobRow } from '../../../subgraphs/verification/tables.ts'
import { drawArabicCard, mauritanian } from '../../support/samples/arabic-card.ts'

const patient = 200_000
const { signal } = new AbortController()
const today = Date.UTC(2026, 6, 1)

function isInstalled(): boolean {
  try {
    languageFile('ara')
    return true
  } catch {
    return false
  }
}

const declared: DeclaredIdentity = {
  firstName: 'Mohamed Lemine',
  lastName: 'Ould Ahmed',
  dateOfBirth: '1996-08-03',
  gender: 'M',
  nationality: 'Mauritanie',
}

describe('a card in Arabic only, without a machine-readable zone', { timeout: patient }, () => {
  const faces = onnxFaceAnalyser({ threads: 1, executionProviders: ['cpu'], log: silentLog })
  const reader = threadedDocumentReader({ threads: 2, executionProviders: ['cpu'], timeoutMs: patient, log: silentLog })
  const verification = new VerifyIdentity({
    certificatesOf: async () => ({ authorities: [], revocationLists: [], anyImported: false }),
    challengeOf: async () => undefined,
    chipChallengeOf: async () => undefined,
    faces,
    reader,
    clock: { now: () => today },
    thresholds: defaultThresholds,
  })
  // the rules read no other column
  const job = { documentType: 'NATIONAL_ID', countryCode: 'MR' } as JobRow

  async function judged(
    change: Partial<DeclaredIdentity> = {},
    {
      labels = 'above',
      captured = 'scan',
      card = mauritanian,
      turn = 0,
    }: {
      readonly labels?: 'above' | 'before'
      readonly captured?: 'scan' | 'photo'
      readonly card?: typeof mauritanian
      readonly turn?: 0 | 180
    } = {},
  ) {
    const { front, back } = await drawArabicCard(card, labels)
    const submission = {
      declaredIdentity: { ...declared, ...change },
      selfie: { bytes: await drawFace(5) },
      documentFront: {
        bytes: await sharp(await damage(front, captured))
          .rotate(turn)
          .toBuffer(),
      },
      documentBack: { bytes: await damage(back, captured) },
    }
    const { outcome, crossValidations } = await verification.verify(job, submission, signal)
    return { outcome, reasons: crossValidations?.reasons, compared: crossValidations?.dataComparison }
  }

  beforeAll(async () => {
    await Promise.all([faces.start(signal), reader.start(signal)])
  })
  afterAll(() => Promise.all([faces.stop(), reader.stop()]))

  it.for([
    ['above', 'scan'],
    ['before', 'scan'],
    ['above', 'photo'],
  ] as const)(
    'is verified by its labels and names, which are declared in Latin letters: labels %s, %s',
    async ([labels, captured], { skip }) => {
      skip(!isInstalled(), 'the package @tesseract.js-data/ara is not installed')
      const { outcome, reasons, compared } = await judged({}, { labels, captured })
      expect({ outcome, reasons }).toEqual({ outcome: 'verified', reasons: [] })
      expect(compared).toMatchObject({
        firstName: { result: 'clear' },
        lastName: { result: 'clear' },
        dateOfBirth: { result: 'clear' },
        gender: { result: 'clear' },
        documentType: { result: 'clear' },
        issuingCountry: { result: 'clear' },
      })
    },
  )

  it('is also read upside down', async ({ skip }) => {
    skip(!isInstalled(), 'the package @tesseract.js-data/ara is not installed')
    const judgement = await judged({}, { turn: 180 })
    expect(judgement).toMatchObject({ outcome: 'verified', reasons: [] })
  })

  it.for<[string, Partial<DeclaredIdentity>, string, string]>([
    ['another first name', { firstName: 'Ibrahima' }, 'pending_review', 'name_mismatch'],
    ['another surname', { lastName: 'Vall' }, 'pending_review', 'name_mismatch'],
    ['another date of birth', { dateOfBirth: '1996-08-13' }, 'rejected', 'dob_mismatch'],
    ['another gender', { gender: 'F' }, 'pending_review', 'gender_mismatch'],
  ])('is not verified for %s', async ([, change, outcome, reason], { skip }) => {
    skip(!isInstalled(), 'the package @tesseract.js-data/ara is not installed')
    const judgement = await judged(change)
    expect(judgement.outcome).toBe(outcome)
    expect(judgement.reasons).toContain(reason)
  })

  it('is not verified after its expiry date, which an Arabic label names', async ({ skip }) => {
    skip(!isInstalled(), 'the package @tesseract.js-data/ara is not installed')
    const judgement = await judged({}, { card: { ...mauritanian, expires: '11.02.2021' } })
    expect(judgement).toMatchObject({ outcome: 'pending_review', reasons: ['document_expired'] })
  })

  it('is left to review with Arabic-Indic digits, which the reader confuses with others', async ({ skip }) => {
    skip(!isInstalled(), 'the package @tesseract.js-data/ara is not installed')
    const arabicDigits = (text: string): string => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
    const judgement = await judged(
      {},
      { card: { ...mauritanian, birth: arabicDigits(mauritanian.birth), expires: arabicDigits(mauritanian.expires) } },
    )
    expect(judgement).toMatchObject({ outcome: 'pending_review', reasons: ['ocr_unreadable'] })
  })
})
