import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { untilTaxonomyLoaded } from '../support/clients/post-expression.ts'
import { realPostgres, realRedis, skippedWithout } from '../support/engines/engines.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'
import { jobOf } from '../support/samples/people.ts'

/** A request with its own id, and its response. */
interface SentRequest {
  readonly id: string
  readonly status: number
  readonly retryAfter: string | null
  readonly code: string | undefined
  /** Sends the same request again. */
  readonly again: () => Promise<SentRequest>
}

const Answered = z.object({
  errors: z.array(z.object({ extensions: z.object({ code: z.string(), retryAfterMs: z.number().optional() }) })).optional(),
})

const open = closedAfterEach()
const atOnce = 24
const limitMs = 120_000
const env = { REQUEST_TIMEOUT_MS: '2000', LLM_TIMEOUT_MS: '1000', OVERLOAD_WAIT_MS: '200' }
const submit = 'mutation ($input: SubmitVerificationInput!) { submitVerification(input: $input) { job { id } } }'

if (realPostgres() === undefined || realRedis() === undefined)
  skippedWithout('DATABASE_URL and REDIS_URL', 'more requests than the platform can accept, while the database is suspended')
else
  describe.each(['one', 'split'] as const)('more requests than the platform can accept (%s)', (layout) => {
    it('are stored once when accepted, and not at all when refused', { timeout: 600_000 }, async () => {
      const system = await startSystem({ layout, engines: 'real', components: ['verification', 'classification'], env })
      open.push(system)
      await untilTaxonomyLoaded(system)
      const database = new pg.Client({ connectionString: system.env.DATABASE_URL })
      await database.connect()
      open.push({ [Symbol.asyncDispose]: () => database.end() })
      const job = { ...(await jobOf(5)), selfie_b64: 'AAAA' }
      const post = async (url: string, id: string, body: object): Promise<SentRequest> => {
        const headers = { 'content-type': 'application/json', 'x-service-api-key': system.apiKey, 'idempotency-key': id }
        const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(limitMs) })
        const { errors } = Answered.parse(await answer.json())
        const code = errors?.[0]?.extensions.code
        // a refused field has status 200, beside `data`
        const status = answer.status === 200 && errors !== undefined ? (code === 'OUTCOME_UNKNOWN' ? 504 : 503) : answer.status
        const retryAfter =
          answer.headers.get('retry-after') ?? (answer.status === 200 ? String((errors?.[0]?.extensions.retryAfterMs ?? 0) / 1000) : null)
        return { id, status, retryAfter, code, again: () => post(url, id, body) }
      }
      const doors = [
        (id: string) => post(`${system.rest.verification}/jobs/submit`, id, { ...job, citizen_code: id }),
        (id: string) => post(system.graphqlUrl, id, { query: submit, variables: { input: inputOf(job, id) } }),
        (id: string) =>
          post(`${system.rest.classification}/api/v1/expressions`, id, { text: 'Le pont est cassé', source: 'web', external_id: id }),
      ]
      const sent: SentRequest[] = []
      let done = false
      const drive = async (n: number): Promise<void> => {
        const gate = doors[n % doors.length]
        while (!done && gate !== undefined) {
          const answer = await gate(randomUUID())
          sent.push(answer)
          if (answer.status === 503) await sleep(100)
        }
      }
      const driving = Promise.all(Array.from({ length: atOnce }, (_, n) => drive(n)))
      const acceptedCount = () => sent.filter(({ status }) => status < 300).length
      const refused = () => sent.filter(({ status }) => status === 503).length
      for (let round = 0; round < 2; round++) {
        const [before, refusedBefore] = [acceptedCount(), refused()]
        await expect.poll(acceptedCount, { timeout: limitMs }).toBeGreaterThan(before + 10)
        await database.query('begin; lock table outbox, verification_job in access exclusive mode')
        await expect.poll(refused, { timeout: limitMs }).toBeGreaterThan(refusedBefore + atOnce)
        await database.query('commit')
      }
      const last = acceptedCount()
      await expect.poll(acceptedCount, { timeout: limitMs }).toBeGreaterThan(last + 10)
      done = true
      await driving
      // a 504 leaves the outcome unknown: the repeated request is stored once
      const undecided = sent.filter(({ status }) => status === 504)
      const repeated = await Promise.all(undecided.map(({ again }) => again()))
      expect(repeated.filter(({ status }) => status >= 300)).toEqual([])

      for (const until = Date.now() + limitMs; ; await sleep(100)) {
        const { rows } = await database.query<{ n: number }>('select count(*)::int as n from outbox')
        if (rows[0]?.n === 0) break
        if (Date.now() > until) throw new Error('the expressions were not written')
      }
      const { rows } = await database.query<{ id: string; n: number }>(`
        select id, count(*)::int as n from (select trim('"' from citizen_code::text) as id from verification_job union all select external_id from expression) as stored group by id`)
      const stored = new Map(rows.map(({ id, n }) => [id, n]))
      const withStatus = (is: (status: number) => boolean) => sent.filter(({ status }) => is(status))
      expect(withStatus((status) => status < 300).filter(({ id }) => stored.get(id) !== 1)).toEqual([])
      expect(withStatus((status) => status === 503).filter(({ id }) => stored.has(id))).toEqual([])
      expect(undecided.filter(({ id }) => stored.get(id) !== 1)).toEqual([])
      expect(withStatus((status) => status === 503).filter(({ retryAfter }) => !(Number(retryAfter) >= 1))).toEqual([])
      expect(withStatus((status) => status >= 300 && status !== 503 && status !== 504)).toEqual([])
      expect(sent.some(({ code }) => code === 'OVERLOADED')).toBe(true)
    })
  })

function inputOf(job: Readonly<Record<string, unknown>>, citizenCode: string) {
  const { document_type: documentType, country_code: countryCode, selfie_b64: selfie, cni_recto_b64: documentFront } = job
  const declaredIdentity = { firstName: 'Camille', lastName: 'Martin' }
  return { citizenCode, idempotencyKey: citizenCode, documentType, countryCode, selfie, documentFront, declaredIdentity }
}
