import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeFrames } from '../../../../subgraphs/verification/submission/decode-frames.ts'
import { bytesOf } from '../../../../subgraphs/verification/submission/submission.ts'
import { decodeSubmission, encodeSubmission } from '../../../../subgraphs/verification/submission/submission-record.ts'
import { newJob } from '../../../support/samples/new-job.ts'

const { submission } = newJob('C', { bytes: randomBytes(50) })
const frames = [0, 700, 1400, 2100].map((atMs) => ({ atMs, bytes: randomBytes(30 + atMs / 100) }))
const sent = frames.map(({ atMs, bytes }) => ({ atMs, image: bytes.toString('base64') }))

describe('a sealed submission with a challenge', () => {
  const chip = { sod: randomBytes(30), dg1: randomBytes(9), dg2: randomBytes(40) }

  it.each([
    ['with a chip', { ...submission, chip }],
    ['without one', submission],
  ])('contains the frames with their times, %s', (_, base) => {
    const complete = { ...base, liveness: { nonce: 'n', frames } }
    const { liveness } = decodeSubmission(Buffer.concat(encodeSubmission(complete)))
    expect(liveness?.nonce).toBe('n')
    expect(liveness?.frames.map(({ atMs, bytes }) => ({ atMs, bytes: Buffer.from(bytes) }))).toEqual(frames)
    expect(bytesOf(complete) - bytesOf(base)).toBe(frames.reduce((sum, { bytes }) => sum + bytes.length, 0))
  })
})

describe('submitted frames', () => {
  const entriesOf = (submitted: typeof sent): unknown => {
    try {
      return decodeFrames({ nonce: 'n', frames: submitted }, ['liveness'])
    } catch (error) {
      return (error as { details: { entries: { code: string; path: unknown[] }[] } }).details.entries.map(({ code, path }) => [
        code,
        path.join('.'),
      ])
    }
  }

  it('are decoded in order', () => {
    expect(decodeFrames({ nonce: 'n', frames: sent }, ['liveness'])).toEqual({ nonce: 'n', frames })
  })

  it.each<[string, typeof sent, unknown]>([
    ['too many', Array.from({ length: 21 }, (_, atMs) => ({ atMs, image: 'AAAA' })), [['too_many', 'liveness.frames']]],
    ['too few', sent.slice(0, 3), [['too_short', 'liveness.frames']]],
    [
      'too long',
      sent.map((frame, at) => (at === 2 ? { ...frame, image: Buffer.alloc(512 * 1024 + 1).toString('base64') } : frame)),
      [['too_long', 'liveness.frames.2.image']],
    ],
    [
      'not base64',
      sent.map((frame, at) => (at === 1 ? { ...frame, image: '<html>' } : frame)),
      [['not_base64', 'liveness.frames.1.image']],
    ],
    [
      'at the same time',
      sent.map((frame, at) => (at === 3 ? { ...frame, atMs: 1400 } : frame)),
      [['wrong_order', 'liveness.frames.3.atMs']],
    ],
    [
      'at a time after the challenge',
      sent.map((frame, at) => (at === 3 ? { ...frame, atMs: 60_001 } : frame)),
      [['out_of_range', 'liveness.frames.3.atMs']],
    ],
    [
      'at a time before the challenge',
      sent.map((frame, at) => (at === 0 ? { ...frame, atMs: -1 } : frame)),
      [['out_of_range', 'liveness.frames.0.atMs']],
    ],
  ])('are refused when they are %s', (_, submitted, entries) => {
    expect(entriesOf(submitted)).toEqual(entries)
  })
})
