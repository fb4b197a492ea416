import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { removeDataDir, temporaryDataDir } from '../engines/databases.ts'
import { freePortBase } from './free-ports.ts'
import { runsHere } from './runs-here.ts'

const deployed = new URL('../../../deploy/prometheus/', import.meta.url).pathname

const Configuration = z.looseObject({ scrape_configs: z.array(z.looseObject({ job_name: z.string() })) })
const Result = z.object({ data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }) })

export interface Prometheus extends AsyncDisposable {
  /** Number of series of an expression with a numeric value now. @throws {Error} when it cannot be evaluated, or without a response */
  series(expression: string): Promise<number>
}

/** Whether it is installed. */
export const hasPrometheus = (): Promise<boolean> => runsHere('prometheus', '--version')

/** A Prometheus with the platform's rules, which scrapes these addresses every second in place of those of the compose file. */
export async function openPrometheus(targets: readonly string[]): Promise<Prometheus> {
  await using opening = new AsyncDisposableStack()
  const folder = opening.adopt(await temporaryDataDir(), removeDataDir)
  const { scrape_configs: jobs, ...settings } = Configuration.parse(parse(await readFile(join(deployed, 'prometheus.yml'), 'utf8')))
  const configuration = {
    ...settings,
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(deployed, 'alerts.yml')],
    scrape_configs: jobs.map(({ job_name }) => ({ job_name, static_configs: [{ targets }] })),
  }
  await writeFile(join(folder, 'prometheus.yml'), stringify(configuration))
  const at = `127.0.0.1:${await freePortBase()}`
  const words = [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${folder}`, `--web.listen-address=${at}`]
  const child = spawn('prometheus', words, { stdio: 'ignore' })
  opening.defer(() => void child.kill())
  const open = opening.move()
  return {
    async series(expression) {
      const answer = await fetch(`http://${at}/api/v1/query?${new URLSearchParams({ query: expression })}`)
      if (!answer.ok) throw new Error(`${expression}: ${await answer.text()}`)
      return Result.parse(await answer.json()).data.result.filter(({ value: [, number] }) => number !== 'NaN').length
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
