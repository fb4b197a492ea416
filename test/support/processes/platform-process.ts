import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const project = new URL('../../../', import.meta.url).pathname
const thisRelease = join(project, 'dist/platform/main.js')
const startLimitMs = 200_000

/** A process with captured output. */
export interface CapturedProcess {
  readonly roles: readonly string[]
  /** Output so far, both streams. */
  readonly output: () => string
}

/** A process of the platform that a test has started. */
export interface RunningProcess extends CapturedProcess {
  readonly child: ChildProcess
  /** Resolves with the exit code, or the signal's name. */
  readonly exited: Promise<number | string>
}

/** Starts a process of the platform without waiting. @param main - of another release, see previous-release.ts */
export function startProcess(roles: readonly string[], env: Readonly<Record<string, string>>, main = thisRelease): RunningProcess {
  return captureOutput(roles, spawn(process.execPath, [main, ...roles], { env, stdio: ['ignore', 'pipe', 'pipe'] }))
}

/** Processes that a test has not stopped: one that timed out leaves its platform running. */
const remaining = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of remaining) child.kill('SIGKILL')
})

/** Captures both streams of a newly started process, which ends with this one at the latest. */
export function captureOutput(roles: readonly string[], child: ChildProcess): RunningProcess {
  let output = ''
  remaining.add(child)
  child.once('exit', () => remaining.delete(child))
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exited = new Promise<number | string>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal ?? 'gone')))
  return { roles, child, output: () => output, exited }
}

export async function untilReady(running: RunningProcess): Promise<void> {
  const until = Date.now() + startLimitMs
  let code: number | string | undefined
  void running.exited.then((value) => (code = value))
  while (!/ready in \d+ ms/.test(running.output())) {
    if (code !== undefined)
      throw new Error(`${running.roles.join(' ') || 'all'} ended with ${code} before it was ready:\n${running.output()}`)
    if (Date.now() > until) throw new Error(`${running.roles.join(' ') || 'all'} was not ready in ${startLimitMs} ms:\n${running.output()}`)
    await sleep(20)
  }
}

/** SIGTERM, and after 40 s SIGKILL. @returns the exit code, or the signal's name */
export async function stopProcess({ child, exited }: RunningProcess): Promise<number | string> {
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 40_000)
  const code = await exited
  clearTimeout(patience)
  return code
}

/** The test environment without settings of engines and the platform, which each test passes explicitly. */
export function cleanEnvironment(): Record<string, string> {
  const passedOn = ['PATH', 'HOME', 'USER', 'TMPDIR', 'LANG']
  return {
    // dozens of processes load the same code: the first one fills the compile cache
    NODE_COMPILE_CACHE: join(tmpdir(), `civigraph-compiled-${userInfo().username}`),
    ...Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  }
}
