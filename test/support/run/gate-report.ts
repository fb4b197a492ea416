import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameOf, readTally, type TestFailure, tallyLine } from './tally.ts'

/**
 * Ends the merge gate and the full run: prints what each stage cost, runs each failed journey or fault test once more on its own to print
 * whether it is flaky, and closes with the tally. The second run never changes the result.
 *
 * usage: gate-report.ts TALLY COSTS, where each line of COSTS is `real user system stage` in seconds
 */
const [tallyFile = '', costsFile = ''] = process.argv.slice(2)
const rerunProjects = new Set(['journeys', 'clients', 'faults', 'outages'])

interface StageCost {
  readonly stage: string
  readonly realS: number
  readonly processorS: number
}

function readCosts(file: string): readonly StageCost[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [real = '0', user = '0', system = '0', ...words] = line.split(' ')
      return { stage: words.join(' '), realS: Number(real), processorS: Number(user) + Number(system) }
    })
    .toSorted((a, b) => b.realS - a.realS)
}

/** Runs one test again without adding to the tally of the gate. A run that finds no test of that name does not pass. */
function passesAlone({ project, file, test }: TestFailure): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'gate-report-'))
  const ownTally = join(folder, 'tally')
  writeFileSync(ownTally, '')
  // Vitest matches a regular expression against suite names joined by spaces; a name itself may contain ` > `
  const escaped = test?.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll(' > ', ' (?:> )?')
  const name = escaped === undefined ? [] : ['--testNamePattern', `^${escaped}$`]
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, file, ...name]
  const { status } = spawnSync(process.execPath, words, {
    env: { ...process.env, TEST_TALLY: ownTally },
    stdio: 'ignore',
    timeout: 600_000,
  })
  const { passed, failed } = readTally(ownTally)
  rmSync(folder, { recursive: true })
  return status === 0 && passed > 0 && failed === 0
}

const tally = readTally(tallyFile)
process.stdout.write('\nstage: real time, processor time\n')
for (const { stage, realS, processorS } of readCosts(costsFile))
  process.stdout.write(`${stage}: ${realS.toFixed(0)} s, ${processorS.toFixed(0)} s\n`)
for (const failure of tally.failures) process.stdout.write(`failed: ${nameOf(failure)}: ${failure.message}\n`)
for (const failure of tally.failures.filter(({ project }) => rerunProjects.has(project)))
  process.stdout.write(`${passesAlone(failure) ? 'flaky' : 'failing'}: ${nameOf(failure)}\n`)
process.stdout.write(`${tallyLine(tally)}\n`)
