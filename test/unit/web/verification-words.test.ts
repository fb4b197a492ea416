import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reasonCodes } from '../../../subgraphs/verification/checks/reasons.ts'
import { advicesFor } from '../../../web/verification/result/advice.ts'

const words = join(import.meta.dirname, '../../../web/verification/words')
const checkWords = join(import.meta.dirname, '../../../web/shared/verification/words')
const problems = readFileSync(join(import.meta.dirname, '../../../engines/inference/images/invalid-image.ts'), 'utf8')

/** reason codes as in the graph */
const reasons = reasonCodes.map((code) => code.toUpperCase())

describe.each(['fr', 'en', 'ar'])('the texts about a result in %s', (language) => {
  const texts = JSON.parse(readFileSync(join(words, `${language}.json`), 'utf8')) as Readonly<Record<string, unknown>>

  it('explain every reason, with an advice', () => {
    const ofChecks = JSON.parse(readFileSync(join(checkWords, `${language}.json`), 'utf8')) as Readonly<Record<string, unknown>>
    expect(reasons.filter((code) => ofChecks[`reason.${code}`] === undefined)).toEqual([])
    const advices = reasons.flatMap((reason) => [true, false].flatMap((isEstablished) => advicesFor([{ reason, isEstablished }])))
    expect(advices.filter((advice) => texts[`do.${advice}`] === undefined)).toEqual([])
  })

  it('explain every error of an image', () => {
    const codes = [...problems.matchAll(/^ {2}(\w+): '/gm)].map(([, code]) => code)
    expect(codes.length).toBeGreaterThan(5)
    expect(codes.filter((code) => texts[`failure.${code}`] === undefined)).toEqual([])
  })
})

it('give each advice once, and refer a citizen with an unknown reason to an office', () => {
  const findings = (...codes: readonly string[]) => codes.map((reason) => ({ reason, isEstablished: false }))
  expect(advicesFor(findings('BLURRED_PHOTO', 'GLARE_ON_PHOTO', 'DOCUMENT_EXPIRED'))).toEqual(['better-photograph', 'valid-document'])
  expect(advicesFor(findings('A_REASON_OF_TOMORROW'))).toEqual(['office'])
})

it('advise on another document only where the faces are established to differ', () => {
  const advice = (isEstablished: boolean) => advicesFor([{ reason: 'FACE_MISMATCH', isEstablished }])
  expect([advice(true), advice(false)]).toEqual([['own-document'], ['compare-again']])
  expect(advicesFor([{ reason: 'FACE_MISMATCH', isEstablished: false }], 'DOCUMENT_EXPIRED')).toEqual(['valid-document'])
})
