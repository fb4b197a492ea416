import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Socket } from 'socket.io-client'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { untilTaxonomyLoaded } from '../support/clients/post-expression.ts'
import type { System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { connectTo, receivedEvents, subscribe } from '../support/rest/realtime.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'

const open = closedAfterEach()

interface Created {
  readonly seq: number
  readonly expression: { readonly id: string }
}

const Answer = z.object({
  data: z.object({ ingestExpression: z.object({ expression: z.object({ id: z.string() }) }).nullable() }).nullish(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
})

/** A typical client: on each connect it subscribes from the last event that it received. */
function returningClient(url: string, after?: number) {
  const socket: Socket = connectTo(url, { reconnectionDelay: 100, reconnectionDelayMax: 500 })
  open.push({ [Symbol.asyncDispose]: async () => void socket.disconnect() })
  const [received, lagged] = [receivedEvents<Created>(socket, 'expression:created'), receivedEvents(socket, 'lagged')]
  const answers: Record<string, unknown>[] = []
  socket.on('connect', () => {
    const lastSeq = received.at(-1)?.seq ?? after
    void subscribe(socket, lastSeq === undefined ? {} : { after: lastSeq }).then(
      (answer) => answers.push(answer),
      () => undefined,
    )
  })
  return { received, lagged, answers, ids: () => received.map(({ expression }) => expression.id) }
}

const Frame = z.object({ type: z.string(), seq: z.int(), data: z.looseObject({ id: z.string().optional() }) })

/** The same on /ws: on each welcome message it resumes from the last event that it received. */
function returningReader(url: string, after?: number) {
  const received: z.infer<typeof Frame>[] = []
  const lagged: z.infer<typeof Frame>[] = []
  let welcomes = 0
  let isOver = false
  let socket: WebSocket | undefined
  const connect = (): void => {
    if (isOver) return
    const opened = new WebSocket(url)
    socket = opened
    opened.on('message', (content) => {
      const frame = Frame.parse(JSON.parse(String(content)))
      if (frame.type === 'expression') received.push(frame)
      if (frame.type === 'lagged') lagged.push(frame)
      if (frame.type !== 'welcome') return
      welcomes++
      const lastSeq = received.at(-1)?.seq ?? after
      if (lastSeq !== undefined) opened.send(JSON.stringify({ type: 'resume', from_seq: lastSeq }))
    })
    opened.on('error', () => undefined)
    opened.on('close', () => setTimeout(connect, 100))
  }
  connect()
  open.push({
    async [Symbol.asyncDispose]() {
      isOver = true
      socket?.terminate()
    },
  })
  return { seqs: () => received.map(({ seq }) => seq), lagged, welcomes: () => welcomes, ids: () => received.map(({ data }) => data.id) }
}

/** An access token of the first administrator. */
async function tokenOf({ dataDir, rest }: System): Promise<string> {
  const { super_admin: account } = z
    .looseObject({ super_admin: z.object({ email: z.string(), password: z.string() }) })
    .parse(JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')))
  const body = JSON.stringify(account)
  let session: unknown
  // refused while the server is overloaded
  await expect
    .poll(async () => {
      const answer = await fetch(`${rest.administration}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      session = await answer.json()
      return answer.status
    })
    .toBe(200)
  return z.looseObject({ access_token: z.string() }).parse(session).access_token
}

describe('kill -9 of the process that serves the sockets', () => {
  it('reconnecting clients receive each missed event once, from any position, and no client is reported as lagging', {
    timeout: 600_000,
  }, async () => {
    const system = await startSystem({
      layout: 'split',
      components: ['exploration', 'classification', 'administration'],
      workers: ['classification'],
    })
    open.push(system)
    const ingest = 'mutation ($input: IngestExpressionInput!) { ingestExpression(input: $input) { expression { id } } }'
    await untilTaxonomyLoaded(system)
    /** Posts a text, and posts it again under the same id while the component is overloaded. */
    const postText = async (text: string): Promise<string> => {
      const body = JSON.stringify({ query: ingest, variables: { input: { text, externalId: randomUUID(), source: 'test' } } })
      let id: string | undefined
      await expect
        .poll(async () => {
          const response = await fetch(system.graphqlUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
          const { data, errors } = Answer.parse(await response.json())
          id = data?.ingestExpression?.expression.id
          return errors
        })
        .toBeUndefined()
      return id ?? ''
    }
    const expectedIds: string[] = []
    const client = returningClient(system.rest.exploration)
    await expect.poll(() => client.answers.length).toBe(1)
    const streamUrl = `${system.rest.classification.replace('http', 'ws')}/ws?token=${await tokenOf(system)}`
    const reader = returningReader(streamUrl)
    await expect.poll(reader.welcomes).toBe(1)
    for (let n = 0; n < 6; n++) {
      expectedIds.push(await postText(`Le lampadaire ${n} est cassé`))
      await expect.poll(client.ids).toEqual(expectedIds)
      await expect.poll(reader.ids).toEqual(expectedIds)
    }
    const rest = system.processes.find(({ roles }) => roles.includes('rest:exploration'))
    rest?.child.kill('SIGKILL')
    await rest?.exited
    for (let n = 6; n < 11; n++) expectedIds.push(await postText(`Le lampadaire ${n} est cassé`))
    await system.start(rest?.roles ?? [])
    const returned = client.received.map(({ seq }) => ({ seq, client: returningClient(system.rest.exploration, seq) }))
    const readAgain = reader.seqs().map((seq) => ({ seq, reader: returningReader(streamUrl, seq) }))
    // the feed is ordered by commit, which can differ from the order of the requests
    await expect.poll(() => reader.ids().toSorted()).toEqual(expectedIds.toSorted())
    await expect.poll(() => client.answers.length).toBe(2)
    for (const each of returned) await expect.poll(() => each.client.answers.length).toBe(1)
    for (let n = 11; n < 13; n++) expectedIds.push(await postText(`Le lampadaire ${n} est cassé`))
    await expect.poll(() => client.ids().toSorted()).toEqual(expectedIds.toSorted())
    for (const { seq, client: other } of returned) {
      await expect
        .poll(() => other.received.map((event) => event.seq))
        .toEqual(client.received.map((event) => event.seq).filter((each) => each > seq))
      expect(other.lagged).toEqual([])
    }
    expect(client.lagged).toEqual([])
    await expect.poll(reader.seqs).toEqual(client.received.map(({ seq }) => seq))
    for (const { seq, reader: other } of readAgain) await expect.poll(other.seqs).toEqual(reader.seqs().filter((each) => each > seq))
    for (const each of [reader, ...readAgain.map((again) => again.reader)]) expect(each.lagged).toEqual([])
  })
})
