import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type System, startPlatform } from '../support/processes/platform.ts'
import { type HttpAttack, httpAttacks, type SocketAttack, socketAttacks } from './attacks.ts'
import { startProbe } from './probe.ts'

/**
 * `npm run attack`: sends each entrance of a platform of its own what an anonymous attacker would send, while another client uses the
 * platform. Prints for each attack its answer, and the slowest answer that the other client got. Fails if a process ends, if memory does
 * not return to within 200 MB, if the other client gets an error, or (with `--quiet`, for a quiet machine) waits for more than 250 ms.
 */
const maxGrowthBytes = 200 * 1024 * 1024
const maxWaitMs = 250
const attackTimeoutMs = 20_000
const isQuiet = process.argv.includes('--quiet')
const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length) ?? ''

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const residentBytes = ({ processes }: System): number =>
  processes.reduce((sum, { child }) => {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    return sum + Number(kilobytes ?? 0) * 1024
  }, 0)

function urlOf(platform: System, { entrance, path = '/' }: HttpAttack): URL {
  return new URL(path, entrance === 'graphql' ? platform.graphqlUrl : platform.rest[entrance])
}

/** Sends one request and resolves to its status, or to the error that ended it. An event stream stays open until `signal` aborts. */
function send(platform: System, attack: HttpAttack, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const request = httpRequest(
      urlOf(platform, attack),
      { method: attack.method ?? 'POST', headers: attack.headers ?? {}, signal },
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

async function sendAll(platform: System, attack: HttpAttack): Promise<string> {
  const ended = new AbortController()
  try {
    const answers: string[] = []
    for (let sent = 0; sent < (attack.times ?? 1); sent++) answers.push(await send(platform, attack, ended.signal))
    return [...new Set(answers)].join('; ')
  } finally {
    ended.abort()
  }
}

function openSocket(platform: System, { entrance }: SocketAttack): WebSocket {
  if (entrance === 'graphql-ws') return new WebSocket(platform.graphqlUrl.replace('http', 'ws'), 'graphql-transport-ws')
  if (entrance === 'stream') return new WebSocket(`${platform.rest.classification.replace('http', 'ws')}/ws?token=a.b.c`)
  return new WebSocket(`${platform.rest.exploration.replace('http', 'ws')}/socket.realtime?EIO=4&transport=websocket`)
}

async function sendFrames(platform: System, attack: SocketAttack): Promise<string> {
  const socket = openSocket(platform, attack)
  const closed = new Promise<string>((resolve) => {
    socket.on('close', (code) => resolve(`closed ${code}`))
    socket.on('error', () => undefined)
  })
  await new Promise((resolve) => {
    socket.on('open', resolve)
    socket.on('close', resolve)
  })
  for (const frame of attack.frames) if (socket.readyState === WebSocket.OPEN) socket.send(frame)
  const result = await Promise.race([closed, wait(2_000, 'open')])
  socket.terminate()
  return result
}

async function run(): Promise<boolean> {
  say(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
  await using platform = await startPlatform({ env: { TRUST_PROXY: '0' } })
  const probe = startProbe(platform.graphqlUrl, Object.values(platform.rest))
  await wait(3_000)
  const quiet = probe.reset()
  const before = residentBytes(platform)
  say(`before: slowest answer ${quiet.slowestMs.toFixed(0)} ms of ${quiet.count}, ${(before / 2 ** 20).toFixed(0)} MB`)
  const problems: string[] = []
  const record = async (name: string, attack: () => Promise<string>): Promise<void> => {
    if (!name.includes(only)) return
    const answer = await attack()
    await wait(300)
    const { slowestMs, failures } = probe.reset()
    say(`${name}: ${answer}; others waited ${slowestMs.toFixed(0)} ms, ${(residentBytes(platform) / 2 ** 20).toFixed(0)} MB`)
    if (failures > 0) problems.push(`${name}: ${failures} requests of the other client failed`)
    if (isQuiet && slowestMs > maxWaitMs) problems.push(`${name}: the other client waited ${slowestMs.toFixed(0)} ms`)
    if (/^no answer|; no answer|^5/.test(answer) && !/ECONNRESET|EPIPE|socket hang up/.test(answer)) problems.push(`${name}: ${answer}`)
  }
  for (const attack of httpAttacks) await record(attack.name, () => sendAll(platform, attack))
  for (const attack of socketAttacks) await record(attack.name, () => sendFrames(platform, attack))
  await probe.stop()
  const deadline = Date.now() + 60_000
  while (residentBytes(platform) - before > maxGrowthBytes && Date.now() < deadline) await wait(1_000)
  const after = residentBytes(platform)
  say(`after: ${(after / 2 ** 20).toFixed(0)} MB`)
  if (after - before > maxGrowthBytes) problems.push(`memory grew by ${((after - before) / 2 ** 20).toFixed(0)} MB`)
  if (platform.processes.some(({ child }) => child.exitCode !== null)) problems.push('a process ended')
  for (const problem of problems) say(`PROBLEM ${problem}`)
  say(problems.length === 0 ? 'Every attack was refused, and other clients were served.' : `${problems.length} problems`)
  return problems.length === 0
}

process.exit((await run()) ? 0 : 1)
