import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type VerificationService, verificationService } from '../../support/rest/verification.ts'

const Recorded = z.strictObject({
  name: z.string(),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  status: z.number(),
  /** null: only the status was recorded. */
  response: z.unknown(),
})

/** Requests to the reference implementation and its responses: the 422 of the documented operations, byte for byte except white space. */
const file = new URL('../../support/rest/recorded-answers.jsonl', import.meta.url)
const recorded = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => ({ line, ...Recorded.parse(JSON.parse(line)) }))

let service: VerificationService
beforeAll(async () => {
  service = await verificationService({ maxBatchJobs: 100 })
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Replaces the recorded key, which this service does not have. */
const withOwnKey = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === 'test-key' ? 'key of desk' : value]))

/** A number with more digits than a double differs only in the text. */
const compact = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : ''))

describe('the service responds like the reference implementation', () => {
  it('to every recorded request', () => expect(recorded.length).toBe(101))

  it.each(recorded)('$name', async ({ line, method, path, headers, body, status, response }) => {
    const answer = await service.call(path, { method, headers: withOwnKey(headers), ...(body !== null && { body }) })
    expect(answer.status, answer.text).toBe(status)
    if (response === null) return
    const written = /, "response": (.*)\}$/.exec(line)?.[1] ?? expect.fail('the line has no response')
    expect(compact(answer.text)).toBe(compact(written))
  })
})
