import { cpus } from 'node:os'
import { type Benchmark, runBenchmark } from './harness.ts'

/** By name; each is loaded when it is run. */
const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  'entity-query': async () => (await import('./entity-query.ts')).entityQuery,
  'remote-entity-query': async () => (await import('./remote-entity-query.ts')).remoteEntityQuery,
  'rest-operation': async () => (await import('./rest-operation.ts')).restOperation,
  'fan-out': async () => (await import('./fan-out.ts')).fanOut,
  'idle-subscribers': async () => (await import('./idle-subscribers.ts')).idleSubscribers,
  intake: async () => (await import('./intake.ts')).intake,
  queue: async () => (await import('./queue.ts')).queue,
  administration: async () => (await import('./administration.ts')).administration,
  verification: async () => (await import('./verification.ts')).verification,
  'content-pdf': async () => (await import('./content-pdf.ts')).contentPdf,
  'content-tree': async () => (await import('./content-tree.ts')).contentTree,
  'realtime-fan-out': async () => (await import('./realtime-fan-out.ts')).realtimeFanOut,
  'search-knn': async () => (await import('./search-knn.ts')).searchKnn,
  exploration: async () => (await import('./exploration.ts')).exploration,
  'stream-fan-out': async () => (await import('./stream-fan-out.ts')).streamFanOut,
  'ingest-expressions': async () => (await import('./ingest-expressions.ts')).ingestExpressions,
  'batch-writer': async () => (await import('./batch-writer.ts')).batchWriter,
  'subscription-churn': async () => (await import('./subscription-churn.ts')).subscriptionChurn,
}

/** `npm run bench` runs every benchmark; `npm run bench -- NAME …` these. Words that begin with -- are for the benchmarks. */
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const unknown = names.filter((name) => benchmarks[name] === undefined)
if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}`)
print(`node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`)
for (const [name, load] of Object.entries(benchmarks))
  if (names.length === 0 || names.includes(name)) await runBenchmark(await load(), print)
process.exit()
