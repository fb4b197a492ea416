import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { ContentClient, tokenOf } from '../support/clients/content-client.ts'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { freePortBase } from '../support/processes/free-ports.ts'
import { type System, startPlatform } from '../support/processes/platform.ts'
import { jobOf } from '../support/samples/people.ts'
import {
  type FloodAttack,
  floodAttacks,
  type HttpAttack,
  httpAttacks,
  type PipelineAttack,
  pipelineAttacks,
  type SocketAttack,
  socketAttacks,
  subgraphAttacks,
  subgraphSocketAttacks,
} from './attacks.ts'
import { authorisedAttacks } from './authorised-attacks.ts'
import { collectionReport } from './collect-garbage.ts'
import { startProbe } from './probe.ts'

/**
 * `npm run attack`: starts a platform, attacks each entry point as an anonymous client, then imports and uploads as an authorised one, and uses
 * the platform as another client meanwhile.
 * Prints the response to each attack and the slowest response of the other client. Fails if a process ends, if its resident memory after a
 * garbage collection does not return to within 200 MB, if the other client receives an error, or (with `--quiet`, for an idle machine)
 * waits for more than 250 ms (2 s during a flood of requests).
 * `--split` runs the subgraphs in their own process and attacks their ports, too; `--only=WORDS` selects attacks by name.
 */
const maxGrowthBytes = 200 * 1024 * 1024
const maxWaitMs = 250
/** Applies while a flood or a large valid request occupies the processors. */
const maxFloodWaitMs = 2_000
const attackTimeoutMs = 20_000
/** The attacker's address; limits and turns by address distinguish it from the other client, at 127.0.0.1. Other systems have one loopback address. */
const localAddress = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'
/** Flood requests in flight at a time. */
const concurrency = 16
const isSplit = process.argv.includes('--split')
const isQuiet = process.argv.includes('--quiet')
const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length) ?? ''

const printLine = (line: string): boolean => process.stdout.write(`${line}\n`)

/** A platform and the first of its ports. */
interface Target {
  readonly platform: System
  readonly portBase: number
}

const isRunning = ({ child }: System['processes'][number]): boolean => child.exitCode === null && child.signalCode === null

function residentBytesOf({ child }: System['processes'][number]): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

const residentBytes = ({ processes }: System): number => processes.filter(isRunning).reduce((sum, each) => sum + residentBytesOf(each), 0)

const collections = ({ output }: System['processes'][number]): number => output().split(collectionReport).length - 1

/** Returns the resident memory of each process without garbage that V8 has not yet collected. A collection stops a process for seconds when the machine is busy. */
async function usedBytes(platform: System): Promise<ReadonlyMap<System['processes'][number], number>> {
  const started = platform.processes.filter(isRunning).map((each) => ({ each, before: collections(each) }))
  for (const { each } of started) each.child.kill('SIGUSR2')
  while (started.some(({ each, before }) => isRunning(each) && collections(each) === before)) await wait(50)
  return new Map(platform.processes.filter(isRunning).map((each) => [each, residentBytesOf(each)]))
}
const rolesOf = ({ roles }: System['processes'][number]): string => roles.join(' ') || 'all roles'
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`

function urlOf({ platform, portBase }: Target, { entrance, path = '/' }: Pick<HttpAttack, 'entrance' | 'path'>): URL {
  if (entrance === 'metrics') return new URL(path, `http://127.0.0.1:${portBase + (isSplit ? 20 : 9)}`)
  if (entrance === 'subgraph') return new URL(path, `http://127.0.0.1:${portBase + 12}`)
  return new URL(path, entrance === 'graphql' ? platform.graphqlUrl : platform.rest[entrance])
}

/** Sends one request. Returns its status, or the error that ended it. An event stream stays open until `signal` aborts. */
function send(target: Target, attack: Omit<HttpAttack, 'name' | 'times'>, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const request = httpRequest(
      urlOf(target, attack),
      { localAddress, method: attack.method ?? 'POST', headers: attack.headers ?? {}, ...(signal && { signal }) },
      (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
        response.on('error', () => undefined)
        if (response.headers['content-type']?.startsWith('text/event-stream')) return resolve(`${response.statusCode}, event stream`)
        response.on('close', () => resolve(`${response.statusCode}, ${bytes} bytes`))
      },
    )
    request.on('error', (error) => resolve(`no answer: ${error.message}`))
    request.setTimeout(attackTimeoutMs, () => request.destroy(new Error('timed out')))
    request.end(attack.body)
  })
}

async function sendAll(target: Target, attack: HttpAttack): Promise<string> {
  const ended = new AbortController()
  try {
    const answers: string[] = []
    for (let sent = 0; sent < (attack.times ?? 1); sent++) answers.push(await send(target, attack, ended.signal))
    return [...new Set(answers)].join('; ')
  } finally {
    ended.abort()
  }
}

/** Sends all requests of a flood, a limited number at a time. @returns the count of each status */
async function flood(target: Target, { entrance, count, request }: FloodAttack): Promise<string> {
  const statuses = new Map<string, number>()
  let next = 0
  const sender = async (): Promise<void> => {
    while (next < count) {
      const answer = await send(target, { entrance, ...request(next++) })
      const status = answer.replace(/, \d+ bytes$/, '')
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sender))
  return [...statuses].map(([status, times]) => `${status} × ${times}`).join('; ')
}

/** Writes all requests of each connection at once, and reads until the server has answered or closed. */
async function pipeline(target: Target, { entrance, connections, count, request }: PipelineAttack): Promise<string> {
  const { hostname, port, host } = urlOf(target, { entrance })
  const text = Array.from({ length: count }, (_, index) => {
    const { path, headers, body } = request(index)
    const lines = Object.entries({ ...headers, host, 'content-length': String(body.length) }).map(([name, value]) => `${name}: ${value}`)
    return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
  }).join('')
  const answered = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<number>((resolve) => {
          let answers = 0
          const socket = connect({ localAddress, host: hostname, port: Number(port), timeout: attackTimeoutMs }, () => socket.write(text))
          socket.setEncoding('latin1').on('data', (chunk) => {
            answers += String(chunk).split('HTTP/1.1 ').length - 1
            if (answers >= count) socket.destroy()
          })
          socket.on('timeout', () => socket.destroy()).on('error', () => undefined)
          socket.on('close', () => resolve(answers))
        }),
    ),
  )
  return answered.map((answers) => `${answers} of ${count} answered`).join('; ')
}

function openSocket(target: Target, { entrance }: SocketAttack): WebSocket {
  const { platform } = target
  const open = (url: string, protocols: readonly string[] = []): WebSocket =>
    new WebSocket(url.replace('http', 'ws'), [...protocols], { localAddress })
  if (entrance === 'subgraph') return open(urlOf(target, { entrance, path: '/graphql' }).href, ['graphql-transport-ws'])
  if (entrance === 'graphql-ws') return open(platform.graphqlUrl, ['graphql-transport-ws'])
  if (entrance === 'stream') return open(`${platform.rest.classification}/ws?token=a.b.c`)
  return open(`${platform.rest.exploration}/socket.realtime?EIO=4&transport=websocket`)
}

async function sendFrames(target: Target, attack: SocketAttack): Promise<string> {
  const { frames, sockets = 1 } = attack
  const [first = '', ...others] = frames
  const shares = Array.from({ length: sockets }, (_, at) => [first, ...others.filter((__, index) => index % sockets === at)])
  return [...new Set(await Promise.all(shares.map((share) => sendOnSocket(target, attack, share))))].join('; ')
}

async function sendOnSocket(target: Target, attack: SocketAttack, frames: readonly string[]): Promise<string> {
  const socket = openSocket(target, attack)
  const closed = new Promise<string>((resolve) => {
    socket.on('close', (code) => resolve(`closed ${code}`))
    socket.on('error', () => undefined)
  })
  await new Promise((resolve) => {
    socket.on('open', resolve)
    socket.on('close', resolve)
  })
  for (const frame of frames) if (socket.readyState === WebSocket.OPEN) socket.send(frame)
  const result = await Promise.race([closed, wait(2_000, 'open')])
  socket.terminate()
  return result
}

/** Uses what loads on first use (networks of faces and text, the typesetter), so that an attack is not charged for it. */
async function useOnce(platform: System, token: string): Promise<void> {
  const verification = new VerificationClient(platform)
  const { body } = await verification.submit(await jobOf(1))
  await verification.untilFinished([body.job_id])
  const content = new ContentClient(platform.rest.content).with({ authorization: `Bearer ${token}`, 'x-tenant-id': 'first' })
  await content.import({ nodes: [{ id: 'first', title: 'First', body: 'One paragraph.' }] })
  await content.get('/api/v1/nodes/first/pdf')
}

async function run(): Promise<boolean> {
  printLine(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
  const portBase = await freePortBase()
  const main = join(projectFolder, 'dist/bench/platform/main.js')
  await using platform = await startPlatform({
    layout: isSplit ? 'split' : 'one',
    portBase,
    main,
    env: { TRUST_PROXY: '0', NODE_OPTIONS: `--expose-gc --import=${join(projectFolder, 'dist/bench/test/attack/collect-garbage.js')}` },
  })
  const target = { platform, portBase }
  const processes = [...platform.processes]
  const probe = startProbe(platform.graphqlUrl, Object.values(platform.rest))
  await useOnce(platform, await tokenOf(platform))
  await probe.settled()
  probe.reset()
  await wait(3_000)
  const quiet = probe.reset()
  const before = await usedBytes(platform)
  // requests that were sent during the collection are not those of an attack
  await probe.settled()
  probe.reset()
  const problems = quiet.failures.map((failure) => `before any attack: ${failure}`)
  printLine(`before: slowest answer ${quiet.slowestMs.toFixed(0)} ms of ${quiet.count}, ${megabytes(residentBytes(platform))}`)
  const record = async (name: string, attack: () => Promise<string>, limitMs = maxWaitMs): Promise<void> => {
    if (!name.includes(only) || !processes.every(isRunning)) return
    const answer = await attack()
    await wait(300)
    const { slowestMs, failures } = probe.reset()
    printLine(`${name}: ${answer}; others waited ${slowestMs.toFixed(0)} ms, ${megabytes(residentBytes(platform))}`)
    const [first] = failures
    if (first !== undefined) problems.push(`${name}: ${failures.length} requests of the other client failed, the first: ${first}`)
    if (isQuiet && slowestMs > limitMs) problems.push(`${name}: the other client waited ${slowestMs.toFixed(0)} ms`)
    if (isFailure(answer)) problems.push(`${name}: ${answer}`)
    for (const { child, roles } of processes)
      if (child.exitCode !== null || child.signalCode !== null)
        problems.push(`${name}: process ${roles.join(' ') || 'all'} ended with ${child.exitCode ?? child.signalCode}`)
  }
  for (const attack of [...httpAttacks, ...(isSplit ? subgraphAttacks : [])]) await record(attack.name, () => sendAll(target, attack))
  const authorised = authorisedAttacks({ apiKey: platform.apiKey, token: await tokenOf(platform) })
  for (const attack of authorised)
    await record(attack.name, () => sendAll(target, attack), attack.isWork === true ? maxFloodWaitMs : maxWaitMs)
  for (const attack of [...socketAttacks, ...(isSplit ? subgraphSocketAttacks : [])])
    await record(attack.name, () => sendFrames(target, attack))
  for (const attack of floodAttacks) await record(attack.name, () => flood(target, attack), maxFloodWaitMs)
  for (const attack of pipelineAttacks) await record(attack.name, () => pipeline(target, attack), maxFloodWaitMs)
  await probe.stop()
  const deadline = Date.now() + 60_000
  const grown = async (): Promise<readonly string[]> => {
    const after = await usedBytes(platform)
    return [...after].flatMap(([each, bytes]) => {
      const growth = bytes - (before.get(each) ?? bytes)
      return growth > maxGrowthBytes ? [`${rolesOf(each)}: memory grew by ${megabytes(growth)}`] : []
    })
  }
  let growths = await grown()
  while (growths.length > 0 && Date.now() < deadline) growths = await grown()
  problems.push(...growths)
  for (const each of processes.filter(isRunning))
    printLine(`${rolesOf(each)}: ${megabytes(before.get(each) ?? 0)} before, ${megabytes(residentBytesOf(each))} after`)
  for (const problem of problems) printLine(`PROBLEM ${problem}`)
  printLine(problems.length === 0 ? 'Every attack was refused, and other clients were served.' : `${problems.length} problems`)
  return problems.length === 0
}

/** Whether a response is a server error or missing. A listener may close the connection of a rejected body. */
const isFailure = (answer: string): boolean =>
  answer
    .split('; ')
    .filter((each) => !/ECONNRESET|EPIPE|socket hang up/.test(each))
    .some((each) => /^no answer|^5\d\d/.test(each) && !each.startsWith('503'))

process.exit((await run()) ? 0 : 1)
