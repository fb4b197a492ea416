import { cpus } from 'node:os'
import { entityQuery } from './entity-query.ts'
import { runBenchmark } from './harness.ts'

/** `npm run bench` runs every benchmark; `npm run bench -- WORD` those whose name holds the word. */
const benchmarks = [entityQuery]

const [, , word = ''] = process.argv
const print = (line: string): void => void process.stdout.write(`${line}\n`)
print(`node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`)
for (const benchmark of benchmarks.filter(({ name }) => name.includes(word))) await runBenchmark(benchmark, print)
