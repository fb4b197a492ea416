import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeChip, decodeChipResponse } from '../../../../subgraphs/verification/submission/decode-chip.ts'
import { bytesOf, type Submission } from '../../../../subgraphs/verification/submission/submission.ts'
import { decodeSubmission, encodeSubmission } from '../../../../subgraphs/verification/submission/submission-record.ts'
import { newJob } from '../../../support/samples/new-job.ts'

const image = { bytes: randomBytes(50) }
const { submission } = newJob('C', image)
const chip = { sod: randomBytes(30), dg1: randomBytes(9), dg2: randomBytes(40), dg14: randomBytes(5) }
const written = (given: Submission): Buffer => Buffer.concat(encodeSubmission(given))

describe('what is sealed of a submission', () => {
  it('holds the files of the chip behind the images', () => {
    const read = decodeSubmission(written({ ...submission, chip }))
    expect(Object.keys(read.chip ?? {}).sort()).toEqual(['dg1', 'dg14', 'dg2', 'sod'])
    for (const [name, bytes] of Object.entries(read.chip ?? {})) expect(Buffer.from(bytes)).toEqual(chip[name as keyof typeof chip])
    expect('bytes' in read.documentFront && Buffer.from(read.documentFront.bytes)).toEqual(image.bytes)
    expect(bytesOf({ ...submission, chip })).toBe(bytesOf(submission) + 84)
  })

  it('holds what the chip has answered between its files and the frames', () => {
    const chipResponse = { nonce: 'n', response: randomBytes(20) }
    const liveness = { nonce: 'm', frames: [{ atMs: 0, bytes: randomBytes(7) }] }
    const read = decodeSubmission(written({ ...submission, chip, chipResponse, liveness }))
    expect([read.chipResponse?.nonce, Buffer.from(read.chipResponse?.response ?? [])]).toEqual(['n', chipResponse.response])
    expect(read.liveness?.frames.map(({ bytes }) => Buffer.from(bytes))).toEqual([liveness.frames[0]?.bytes])
    expect(Buffer.from(read.chip?.dg14 ?? [])).toEqual(chip.dg14)
    expect(bytesOf({ ...submission, chip, chipResponse })).toBe(bytesOf({ ...submission, chip }) + 20)
  })

  it('is as it was before, byte for byte, without a chip', () => {
    expect(written(submission).toString('latin1')).not.toContain('chip')
    expect(decodeSubmission(written(submission))).not.toHaveProperty('chip')
  })
})

describe('the files of a chip as they are sent', () => {
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  const sent = { sod: text(chip.sod), dg1: text(chip.dg1), dg2: text(chip.dg2) }

  it('are decoded, those that are null left out', () => {
    expect(decodeChip({ ...sent, dg11: null, dg14: text(chip.dg14) }, ['chip'])).toEqual(chip)
  })

  it('are refused by name, all at once, and none is repeated', () => {
    const refused = () =>
      decodeChip({ ...sent, sod: text(Buffer.alloc(10 * 1024 * 1024)), dg2: 'no base64!', dg15: '' }, ['jobs', 3, 'chip'])
    expect(refused).toThrowError(
      expect.objectContaining({
        code: 'BAD_USER_INPUT',
        details: {
          entries: [
            { code: 'too_long', path: ['jobs', 3, 'chip', 'sod'], message: expect.any(String), constraint: { max: 65_536 } },
            { code: 'invalid', path: ['jobs', 3, 'chip', 'dg2'], message: expect.any(String) },
            { code: 'invalid', path: ['jobs', 3, 'chip', 'dg15'], message: expect.any(String) },
          ],
        },
      }),
    )
  })
})

describe('the answer of a chip as it is sent', () => {
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
    ['no base64', '!', { dg15: 'AA==' }, { code: 'invalid', path: ['chip', 'activeAuthentication', 'response'] }],
    ['without a key to check it by', 'AA==', { dg15: null }, { code: 'required', path: ['chip', 'dg15'] }],
  ])('is refused by name when it is %s', (_, response, others, entry) => {
    expect(() => decodeChipResponse({ nonce: 'n', response }, { ...sent, ...others }, ['chip'])).toThrowError(
      expect.objectContaining({ code: 'BAD_USER_INPUT', details: { entries: [expect.objectContaining(entry)] } }),
    )
  })
})
