import { cpus } from 'node:os'
import { type Benchmark, runBenchmark } from './support/harness.ts'

/** Benchmarks by name; each module is loaded when it runs. */
const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  'entity-query': async () => (await import('./gateway/entity-query.ts')).entityQuery,
  'remote-entity-query': async () => (await import('./gateway/remote-entity-query.ts')).remoteEntityQuery,
  'cold-planning': async () => (await import('./gateway/cold-planning.ts')).coldPlanning,
  'rest-operation': async () => (await import('./gateway/rest-operation.ts')).restOperation,
  'fan-out': async () => (await import('./gateway/fan-out.ts')).fanOut,
  reload: async () => (await import('./gateway/reload.ts')).reload,
  'idle-subscribers': async () => (await import('./gateway/idle-subscribers.ts')).idleSubscribers,
  intake: async () => (await import('./verification/intake.ts')).intake,
  queue: async () => (await import('./verification/queue.ts')).queue,
  administration: async () => (await import('./administration/administration.ts')).administration,
  verification: async () => (await import('./verification/verification.ts')).verification,
  'two-sided-jobs': async () => (await import('./verification/two-sided-jobs.ts')).twoSidedJobs,
  'content-pdf': async () => (await import('./content/content-pdf.ts')).contentPdf,
  'content-tree': async () => (await import('./content/content-tree.ts')).contentTree,
  'realtime-fan-out': async () => (await import('./exploration/realtime-fan-out.ts')).realtimeFanOut,
  'search-pages': async () => (await import('./classification/search-pages.ts')).searchPages,
  'search-knn': async () => (await import('./classification/search-knn.ts')).searchKnn,
  exploration: async () => (await import('./exploration/exploration.ts')).exploration,
  votes: async () => (await import('./exploration/votes.ts')).votesBench,
  'searched-figures': async () => (await import('./exploration/searched-figures.ts')).searchedFigures,
  'expression-export': async () => (await import('./classification/expression-export.ts')).expressionExport,
  explorer: async () => (await import('./web/explorer.ts')).explorer,
  pyramid: async () => (await import('./web/pyramid.ts')).pyramid,
  pages: async () => (await import('./web/pages.ts')).pagesBench,
  'stream-fan-out': async () => (await import('./classification/stream-fan-out.ts')).streamFanOut,
  'ingest-expressions': async () => (await import('./classification/ingest-expressions.ts')).ingestExpressions,
  overload: async () => (await import('./platform/overload.ts')).overload,
  'large-taxonomy': async () => (await import('./classification/large-taxonomy.ts')).largeTaxonomyBench,
  'batch-writer': async () => (await import('./classification/batch-writer.ts')).batchWriter,
  'subscription-churn': async () => (await import('./gateway/subscription-churn.ts')).subscriptionChurn,
}

/** `npm run bench` runs every benchmark; `npm run bench -- NAME …` runs the named ones. Words that begin with -- are options of the benchmarks. */
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const unknown = names.filter((name) => benchmarks[name] === undefined)
if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(', ')}; known benchmarks: ${Object.keys(benchmarks).join(', ')}`)
print(`node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`)
for (const [name, load] of Object.entries(benchmarks))
  if (names.length === 0 || names.includes(name)) await runBenchmark(await load(), print)
process.exit()
