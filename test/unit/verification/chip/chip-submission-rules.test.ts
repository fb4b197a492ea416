import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeChip, decodeChipResponse } from '../../../../subgraphs/verification/submission/decode-chip.ts'
import { bytesOf, type Submission } from '../../../../subgraphs/verification/submission/submission.ts'
import { decodeSubmission, encodeSubmission } from '../../../../subgraphs/verification/submission/submission-record.ts'
import { newJob } from '../../../support/samples/new-job.ts'

const image = { bytes: randomBytes(50) }
const { submission } = newJob('C', image)
const chip = { sod: randomBytes(30), dg1: randomBytes(9), dg2: randomBytes(40), dg14: randomBytes(5) }
const encoded = (content: Submission): Buffer => Buffer.concat(encodeSubmission(content))

describe('a sealed submission', () => {
  it('contains the files of the chip after the images', () => {
    const read = decodeSubmission(encoded({ ...submission, chip }))
    expect(Object.keys(read.chip ?? {}).sort()).toEqual(['dg1', 'dg14', 'dg2', 'sod'])
    for (const [name, bytes] of Object.entries(read.chip ?? {})) expect(Buffer.from(bytes)).toEqual(chip[name as keyof typeof chip])
    expect('bytes' in read.documentFront && Buffer.from(read.documentFront.bytes)).toEqual(image.bytes)
    expect(bytesOf({ ...submission, chip })).toBe(bytesOf(submission) + 84)
  })

  it('contains the response of the chip between its files and the frames', () => {
    const chipResponse = { nonce: 'n', response: randomBytes(20) }
    const liveness = { nonce: 'm', frames: [{ atMs: 0, bytes: randomBytes(7) }] }
    const read = decodeSubmission(encoded({ ...submission, chip, chipResponse, liveness }))
    expect([read.chipResponse?.nonce, Buffer.from(read.chipResponse?.response ?? [])]).toEqual(['n', chipResponse.response])
    expect(read.liveness?.frames.map(({ bytes }) => Buffer.from(bytes))).toEqual([liveness.frames[0]?.bytes])
    expect(Buffer.from(read.chip?.dg14 ?? [])).toEqual(chip.dg14)
    expect(bytesOf({ ...submission, chip, chipResponse })).toBe(bytesOf({ ...submission, chip }) + 20)
  })

  it('without a chip is byte for byte as in earlier releases', () => {
    expect(encoded(submission).toString('latin1')).not.toContain('chip')
    expect(decodeSubmission(encoded(submission))).not.toHaveProperty('chip')
  })
})

describe('the submitted files of a chip', () => {
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  const sent = { sod: text(chip.sod), dg1: text(chip.dg1), dg2: text(chip.dg2) }

  it('are decoded, and null ones are omitted', () => {
    expect(decodeChip({ ...sent, dg11: null, dg14: text(chip.dg14) }, ['chip'])).toEqual(chip)
  })

  it('are refused together by name, without their content', () => {
    const decode = () =>
      decodeChip({ ...sent, sod: text(Buffer.alloc(10 * 1024 * 1024)), dg2: 'no base64!', dg15: '' }, ['jobs', 3, 'chip'])
    expect(decode).toThrowError(
      expect.objectContaining({
        code: 'BAD_USER_INPUT',
        details: {
          entries: [
            { code: 'too_long', path: ['jobs', 3, 'chip', 'sod'], message: expect.any(String), constraint: { max: 65_536 } },
            { code: 'not_base64', path: ['jobs', 3, 'chip', 'dg2'], message: expect.any(String) },
            { code: 'not_base64', path: ['jobs', 3, 'chip', 'dg15'], message: expect.any(String) },
          ],
        },
      }),
    )
  })
})

describe('the submitted response of a chip', () => {
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  const sent = { sod: text(chip.sod), dg1: text(chip.dg1), dg2: text(chip.dg2) }

  it('is decoded', () => {
    const response = randomBytes(64)
    expect(decodeChipResponse({ nonce: 'n', response: text(response) }, { ...sent, dg15: text(chip.dg14) }, ['chip'])).toEqual({
      nonce: 'n',
      response,
    })
  })

  it.each<[string, string, object, object]>([
    ['too long', text(randomBytes(1025)), { dg15: 'AA==' }, { code: 'too_long', path: ['chip', 'activeAuthentication', 'response'] }],
    ['no base64', '!', { dg15: 'AA==' }, { code: 'not_base64', path: ['chip', 'activeAuthentication', 'response'] }],
    ['without a key to check it by', 'AA==', { dg15: null }, { code: 'required', path: ['chip', 'dg15'] }],
  ])('is refused by name when it is %s', (_, response, others, entry) => {
    expect(() => decodeChipResponse({ nonce: 'n', response }, { ...sent, ...others }, ['chip'])).toThrowError(
      expect.objectContaining({ code: 'BAD_USER_INPUT', details: { entries: [expect.objectContaining(entry)] } }),
    )
  })
})
