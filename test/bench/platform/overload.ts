import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Variant } from '../support/harness.ts'
import { percentile } from '../support/percentile.ts'
import { type PlatformProcess, startPlatform } from '../support/platform-process.ts'

const seconds = Number(process.env.SECONDS ?? 10)
/** time for which the platform adapts */
const rampSeconds = 4
/** an answer after that came too late for its client */
const deadlineMs = 10_000
/** clients without a pause, which find the capacity */
const atOnce = 100
const connections = 600
const multiples = [1, 2, 10]

/** A request of an intake. */
interface IntakeRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

interface Answer {
  readonly outcome: 'served' | 'refused' | 'failed'
  readonly text: string
  readonly ms: number
}

/** Offers each intake more than it can serve. */
export const overload: Benchmark = {
  name: 'overload',
  about: `each intake is offered 1, 2 and 10 times its capacity for ${seconds} s, every request at its scheduled time; capacity: what ${atOnce} clients without a pause are served; embedded engines, platform and load on one core each; INTAKES=jobs,votes selects`,
  target: 'goodput (served within 10 s) of 90 % of the capacity at 2 and 10 times; everything else refused with Retry-After',
  rounds: Number(process.env.ROUNDS ?? 1),
  warmsUpItself: true,
  async start(print) {
    const cores = process.platform === 'linux' && spawnSync('taskset', ['-cp', '1', String(process.pid)]).status === 0
    const start = () => startPlatform({ LOG_LEVEL: 'fatal', INGEST_RATE: '1000000' }, cores ? 0 : undefined)
    const selected = process.env.INTAKES?.split(',') ?? intakes
    return intakes
      .filter((name) => selected.includes(name))
      .flatMap((name) => [variantOf(name, false, start, print), ...(withHotKey.has(name) ? [variantOf(name, true, start, print)] : [])])
  },
}

const intakes = ['expressions', 'jobs', 'votes', 'content', 'graphql', 'logins'] as const
type IntakeName = (typeof intakes)[number]
const withHotKey = new Set<IntakeName>(['expressions', 'jobs', 'votes'])

function variantOf(intake: IntakeName, isHot: boolean, start: () => Promise<PlatformProcess>, print: (line: string) => void): Variant {
  const name = isHot ? `${intake}, half of one key` : intake
  return {
    name,
    async measure() {
      // its own: what was accepted is worked on afterwards
      const platform = await start()
      const requestOf = await requestsOf(platform, intake)
      let sent = 0
      const send = () => answerTo(requestOf(isHot && sent++ % 2 === 0))
      const { outcome, text } = await send()
      if (outcome !== 'served') throw new Error(`${name}: ${text}`)
      await closedLoop(send, 4, connections)
      const capacity = await closedLoop(send, seconds, atOnce)
      const figures: Record<string, number> = { 'capacity/s': capacity }
      for (const multiple of multiples) {
        const { offered, served, refused, failed, p99 } = await openLoop(send, capacity * multiple)
        print(
          `${name}, ${multiple} x: offered ${offered.toFixed(0)}/s, served ${served.toFixed(1)}/s (${((100 * served) / capacity).toFixed(0)} %), p99 of served ${p99.toFixed(0)} ms, refused ${refused.toFixed(0)}/s, failed ${failed.toFixed(1)}/s, load of the machine ${loadavg()[0]?.toFixed(1)}`,
        )
        figures[`${multiple} x: goodput %`] = (100 * served) / capacity
        figures[`${multiple} x: p99 ms`] = p99
        figures[`${multiple} x: failed/s`] = failed
        await sleep(3000)
      }
      await platform.stop()
      return figures
    },
    stop: async () => undefined,
  }
}

/** Returns what clients without a pause are served per second. */
async function closedLoop(send: () => Promise<Answer>, forSeconds: number, clients: number): Promise<number> {
  const begun = performance.now()
  let served = 0
  const client = async (): Promise<void> => {
    while (performance.now() - begun < forSeconds * 1000) {
      const { outcome } = await send()
      if (outcome === 'served') served += 1
      else await sleep(100)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return (served * 1000) / (performance.now() - begun)
}

/** Offers requests at a rate, whatever is answered. The first seconds do not count. Rates are per second. */
async function openLoop(send: () => Promise<Answer>, rate: number) {
  const begun = performance.now()
  const answers: Promise<Answer>[] = []
  let ramp = 0
  for (let elapsedMs = 0; elapsedMs < (rampSeconds + seconds) * 1000; elapsedMs = performance.now() - begun) {
    while (answers.length < (elapsedMs * rate) / 1000) answers.push(send())
    if (elapsedMs < rampSeconds * 1000) ramp = answers.length
    await sleep(1)
  }
  const all = (await Promise.all(answers)).slice(ramp)
  const count = (wanted: Answer['outcome']): number => all.filter(({ outcome }) => outcome === wanted).length / seconds
  const times = all.flatMap(({ outcome, ms }) => (outcome === 'served' ? [ms] : [])).sort((a, b) => a - b)
  const served = { served: count('served'), p99: percentile(times, 0.99) }
  return { offered: all.length / seconds, ...served, refused: count('refused'), failed: count('failed') }
}

/** Node.js accepts one connection in each turn of its event loop: connections stay open, as those of a proxy do. */
const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections })

/** Sends a request. A refusal counts as one only with the time after which to try again. */
function answerTo({ url, headers, body }: IntakeRequest): Promise<Answer> {
  const begun = performance.now()
  return new Promise((resolve) => {
    const ended = (isServed: boolean, isRefused: boolean, text: string): void => {
      const ms = performance.now() - begun
      resolve({ outcome: isServed && ms <= deadlineMs ? 'served' : isRefused ? 'refused' : 'failed', text, ms })
    }
    const failed = (error: Error): void => ended(false, false, error.message)
    const sent = request(url, { agent, method: 'POST', headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => {
        const status = answer.statusCode ?? 0
        const hasErrors = text.startsWith('{"errors"')
        const isRefused = answer.headers['retry-after'] !== undefined || text.includes('"retryAfterMs"')
        ended(status < 300 && !hasErrors, isRefused, text)
      })
      answer.on('error', failed)
    })
    sent.on('error', failed)
    sent.end(JSON.stringify(body))
  })
}

/** Returns a function that makes requests of an intake. Its parameter: whether the request concerns the one key that gets half of all. */
async function requestsOf(platform: PlatformProcess, intake: IntakeName): Promise<(isHot: boolean) => IntakeRequest> {
  const { apiKey, superAdmin } = await platform.credentials()
  const byKey = { 'x-service-api-key': apiKey }
  const textOf = (): string => `Le pont est cassé ${randomUUID()}`
  const graphql = `${platform.url(0)}/graphql`
  switch (intake) {
    case 'expressions': {
      const hot = { text: textOf(), external_id: randomUUID() }
      const url = `${platform.url(3)}/api/v1/expressions`
      return (isHot) => ({ url, body: isHot ? hot : { text: textOf(), external_id: randomUUID() } })
    }
    case 'graphql': {
      const query = 'mutation ($input: IngestExpressionInput!) { ingestExpression(input: $input) { created expression { id } } }'
      return () => ({ url: graphql, body: { query, variables: { input: { text: textOf(), externalId: randomUUID() } } } })
    }
    case 'jobs': {
      const images = { selfie_b64: 'AAAA', cni_recto_b64: 'AAAA' }
      const identity = { declared_identity: { first_name: 'Camille', last_name: 'Martin', date_of_birth: '1990-02-03' } }
      const job = { document_type: 'NATIONAL_ID', country_code: 'FR', ...images, ...identity }
      const url = `${platform.url(1)}/jobs/submit`
      return (isHot) => ({ url, headers: byKey, body: { citizen_code: isHot ? 'CIT-1' : randomUUID(), ...job } })
    }
    case 'votes': {
      const query = 'mutation ($input: CastVoteInput!) { castVote(input: $input) { expression { id } } }'
      const ids = await Promise.all(Array.from({ length: 50 }, () => platform.expressionId()))
      const voteOn = (expressionId: string | undefined) => ({ input: { expressionId, value: 'AGREE', voterRef: randomUUID() } })
      return (isHot) => ({
        url: graphql,
        headers: byKey,
        body: { query, variables: voteOn(ids[isHot ? 0 : Math.floor(Math.random() * ids.length)]) },
      })
    }
    case 'content': {
      const headers = { authorization: `Bearer ${await platform.token()}` }
      const url = `${platform.url(5)}/api/v1/admin/nodes`
      const root = { id: 'root', title: 'Racine' }
      const { outcome, text } = await answerTo({ url, headers, body: root })
      if (outcome !== 'served') throw new Error(`the root was not created: ${text}`)
      return () => ({ url, headers, body: { parent_id: root.id, title: textOf(), body: 'Un texte' } })
    }
    case 'logins':
      return () => ({ url: `${platform.url(4)}/auth/login`, body: superAdmin })
  }
}
