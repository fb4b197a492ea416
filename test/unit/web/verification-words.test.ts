import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reasonCodes } from '../../../subgraphs/verification/checks/reasons.ts'
import { advicesFor } from '../../../web/verification/result/advice.ts'

const words = join(import.meta.dirname, '../../../web/verification/words')
const problems = readFileSync(join(import.meta.dirname, '../../../engines/inference/images/invalid-image.ts'), 'utf8')

/** reason codes as in the graph */
const reasons = reasonCodes.map((code) => code.toUpperCase())

describe.each(['fr', 'en', 'ar'])('the texts about a result in %s', (language) => {
  const texts = JSON.parse(readFileSync(join(words, `${language}.json`), 'utf8')) as Readonly<Record<string, unknown>>

  it('explain every reason, with an advice', () => {
    expect(reasons.filter((code) => texts[`reason.${code}`] === undefined)).toEqual([])
    expect(reasons.flatMap((code) => advicesFor([code])).filter((advice) => texts[`do.${advice}`] === undefined)).toEqual([])
  })

  it('explain every error of an image', () => {
    const codes = [...problems.matchAll(/^ {2}(\w+): '/gm)].map(([, code]) => code)
    expect(codes.length).toBeGreaterThan(5)
    expect(codes.filter((code) => texts[`failure.${code}`] === undefined)).toEqual([])
  })
})

it('give each advice once, and refer a citizen with an unknown reason to an office', () => {
  expect(advicesFor(['BLURRED_PHOTO', 'GLARE_ON_PHOTO', 'DOCUMENT_EXPIRED'])).toEqual(['better-photograph', 'valid-document'])
  expect(advicesFor(['A_REASON_OF_TOMORROW'])).toEqual(['office'])
})
