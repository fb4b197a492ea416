import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../../foundation/process/build-info.ts'

export interface Compilation {
  /** compiler output with file and line; empty on success */
  readonly problems: string
  /** emitted modules, as paths relative to the output folder */
  readonly emitted: readonly string[]
}

interface StepResult {
  readonly status: number
  readonly output: string
}

export const outputFolder: string = join(projectFolder, 'dist/dev')

function runStep(words: readonly string[]): Promise<StepResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd: projectFolder, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', (status) => resolve({ status: status ?? 1, output }))
  })
}

/** Compiles what changed since the last time, with type checks. Emits nothing on errors. */
export async function compile(): Promise<Compilation> {
  const { status, output } = await runStep(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.dev.json', '--listEmittedFiles'])
  const lines = output.split('\n')
  const emitted = lines
    .filter((line) => line.startsWith('TSFILE: ') && line.endsWith('.js'))
    .map((line) => line.slice(`TSFILE: ${outputFolder}/`.length))
  return status === 0
    ? { problems: '', emitted }
    : {
        problems: lines
          .filter((line) => !line.startsWith('TSFILE: '))
          .join('\n')
          .trim(),
        emitted: [],
      }
}

/** Builds the pages if their sources changed; on failure reports it and keeps the previous pages. */
export async function buildPages(writeLine: (line: string) => void): Promise<void> {
  const { status, output } = await runStep(['web/build.ts', '--reload'])
  if (status !== 0) writeLine(`the pages failed to build; the previous ones stay in use\n${output}`)
}

/** Prints the schemas. @returns whether the supergraph changed */
export async function printSchemas(writeLine: (line: string) => void): Promise<boolean> {
  const supergraph = (): string => readFileSync(join(projectFolder, 'schema/supergraph.graphql'), 'utf8')
  const before = supergraph()
  const { status, output } = await runStep([join(outputFolder, 'platform/printed/print-files.js')])
  if (status !== 0) writeLine(`the schema failed to compose; the gateway keeps the previous one\n${output}`)
  return supergraph() !== before
}
