import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { projectFolder } from '../../../foundation/process/build-info.ts'

/** The whole platform on embedded engines, in its own process. */
export interface PlatformProcess {
  /** address of component C */
  readonly rest: string
  /** address of component B with its page */
  readonly explorer: string
  /** address of component E with its page */
  readonly content: string
  /** processor seconds of the process */
  cpuSeconds(): Promise<number>
  /** Returns the address of a component by its number. */
  url(component: number): string
  token(): Promise<string>
  credentials(): Promise<z.output<typeof Credentials>>
  /** Ingests an expression. @returns its id */
  expressionId(): Promise<string>
  /** @returns the status code */
  post(expression: object): Promise<number>
  stop(): Promise<void>
}

const startLimitMs = 120_000

const Credentials = z
  .object({ verification_api_key: z.string(), super_admin: z.object({ email: z.string(), password: z.string() }) })
  .transform(({ verification_api_key: apiKey, super_admin: superAdmin }) => ({ apiKey, superAdmin }))

/** @param core - the processor core that it may use (Linux); all when absent */
export async function startPlatform(env: Readonly<Record<string, string>> = {}, core?: number): Promise<PlatformProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-bench-'))
  await chmod(dataDir, 0o711)
  const base = await freeBase()
  const command = [process.execPath, join(projectFolder, 'dist/bench/platform/main.js')]
  const [program = '', ...words] = core === undefined ? command : ['taskset', '-c', String(core), ...command]
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT_BASE: String(base), LOG_LEVEL: 'warn', DEMO_DATA: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  for (const until = Date.now() + startLimitMs; !output.includes('ready in'); await sleep(50))
    if (child.exitCode !== null || Date.now() > until) throw new Error(`the platform did not start: ${output}`)
  const rest = `http://127.0.0.1:${base + 3}`
  const postJson = (url: string, body: object) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const post = async (expression: object): Promise<number> => {
    const response = await postJson(`${rest}/api/v1/expressions`, expression)
    await response.arrayBuffer()
    return response.status
  }
  const credentials = async () => Credentials.parse(JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')))
  // the first expressions load the taxonomy
  for (let count = 0; count < 20; count++) await post({ text: `Le robinet est cassé ${count}` })
  return {
    rest,
    explorer: `http://127.0.0.1:${base + 2}`,
    content: `http://127.0.0.1:${base + 5}`,
    async cpuSeconds() {
      const text = await (await fetch(`http://127.0.0.1:${base + 9}/metrics`)).text()
      return Number(/^civigraph_process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
    },
    post,
    url: (component) => `http://127.0.0.1:${base + component}`,
    credentials,
    async token() {
      const { superAdmin } = await credentials()
      const answer = (await (await postJson(`http://127.0.0.1:${base + 4}/auth/login`, superAdmin)).json()) as { access_token: string }
      return answer.access_token
    },
    async expressionId() {
      const answer = await postJson(`${rest}/api/v1/expressions`, { text: 'Le robinet est cassé' })
      return z.object({ id: z.string() }).parse(await answer.json()).id
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The first of sixteen consecutive ports; only this one is checked to be free. */
async function freeBase(): Promise<number> {
  for (;;) {
    // below the ports of outgoing connections
    const base = 20_000 + Math.floor(Math.random() * 600) * 20
    const probe = createServer().listen(base, '127.0.0.1')
    const isFree = await new Promise<boolean>((resolve) => probe.once('listening', () => resolve(true)).once('error', () => resolve(false)))
    await new Promise((resolve) => probe.close(resolve))
    if (isFree) return base
  }
}
