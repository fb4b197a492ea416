import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '../foundation/config/environment.ts'

/** The platform that the demonstration uses. */
export interface RunningPlatform {
  readonly graphqlUrl: string
  readonly verificationUrl: string
  readonly apiKey: string
  /** undefined if the platform was running already and must not be stopped */
  readonly ours: ChildProcess | undefined
}

const startLimitMs = 60_000

/** Uses the running platform of PORT_BASE and DATA_DIR, or starts one with the whole environment. */
export async function reachPlatform(writeLine: (line: string) => void): Promise<RunningPlatform> {
  const { PORT_BASE = '4000', DATA_DIR = '.data' } = environment
  const base = Number(PORT_BASE)
  const credentials = resolve(DATA_DIR, 'credentials.json')
  const graphqlUrl = `http://127.0.0.1:${base}/graphql`
  const verificationUrl = `http://127.0.0.1:${base + 1}`
  const ours = (await answers(`${verificationUrl}/health/live`)) ? undefined : await start()
  writeLine(
    ours === undefined
      ? `Using the platform that runs at ${graphqlUrl}`
      : `Started the platform: GraphQL at ${graphqlUrl}, component A at ${verificationUrl}`,
  )
  return { graphqlUrl, verificationUrl, apiKey: environment.DEMO_API_KEY ?? (await developmentKey(credentials)), ours }
}

/** Production writes no such file. */
async function developmentKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} does not exist: run "civigraph keys create demo" and set DEMO_API_KEY to the key`)
  })
  return (JSON.parse(text) as { readonly verification_api_key: string }).verification_api_key
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1000) })).ok
  } catch {
    return false
  }
}

/** Starts the compiled platform next to this file. @throws {Error} with its output if it does not become ready */
function start(): Promise<ChildProcess> {
  const main = join(fileURLToPath(new URL('../', import.meta.url)), 'platform/main.js')
  // A separate process group: Ctrl-C reaches only the demonstration, which then stops the platform in order.
  const child = spawn(process.execPath, [main], {
    env: { LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  return new Promise((resolve, reject) => {
    let output = ''
    const timeout = setTimeout(() => fail(`not ready within ${startLimitMs / 1000} s`), startLimitMs)
    const fail = (why: string): void => {
      clearTimeout(timeout)
      child.kill('SIGTERM')
      reject(new Error(`The platform did not start: ${why}\n${output.trim()}`))
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (!/ready in \d+ ms/.test(output)) return
        clearTimeout(timeout)
        for (const each of [child.stdout, child.stderr]) each.removeAllListeners('data').resume()
        resolve(child)
      })
    }
    child.once('error', (error) => fail(error.message)).once('exit', (code) => fail(`it exited with ${code}`))
  })
}

/** Sends SIGTERM and waits for the drain. */
export function stopPlatform(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.removeAllListeners('exit')
    const force = setTimeout(() => child.kill('SIGKILL'), 20_000)
    child.once('exit', () => {
      clearTimeout(force)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
