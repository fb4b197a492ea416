import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Variant } from '../support/harness.ts'
import { startPlatform } from '../support/platform-process.ts'
import { frenchSentences } from './sentences.ts'

const perSecond = 100
const seconds = Number(process.env.SECONDS ?? 15)

export const ingestExpressions: Benchmark = {
  name: 'ingest-expressions',
  about: `${perSecond} expressions a second sent to REST for ${seconds} s, each at its scheduled time, even before the previous response; default models, embedded engines, one process`,
  target: 'all accepted (201; repeats 200), p95 under 100 ms',
  rounds: Number(process.env.ROUNDS ?? 2),
  async start(print) {
    const platform = await startPlatform()
    const count = perSecond * seconds
    const textOf = (index: number): string => `${frenchSentences[index % frenchSentences.length]} ${randomUUID()}`
    const identified = (index: number): object => ({ text: textOf(index), external_id: randomUUID() })
    const repeated = Array.from({ length: count }, (_, index) => identified(index))
    const kinds: readonly { readonly name: string; readonly status: number; readonly body: (index: number) => object }[] = [
      { name: 'Civigraph', status: 201, body: (index) => ({ text: textOf(index) }) },
      { name: 'with external_id', status: 201, body: identified },
      // all new in the warm-up
      { name: 'repeated external_id', status: 200, body: (index) => repeated[index] ?? {} },
    ]
    let open = kinds.length
    return kinds.map(
      ({ name, status: expected, body }): Variant => ({
        name,
        async measure() {
          const times: number[] = []
          let refused = 0
          const under: Promise<void>[] = []
          const worked = await platform.cpuSeconds()
          const begun = performance.now()
          for (let index = 0; index < count; index++) {
            const due = begun + (index * 1000) / perSecond
            if (due > performance.now()) await sleep(due - performance.now())
            under.push(
              platform.post(body(index)).then((status) => {
                // measured from the scheduled time: waiting for an earlier request counts
                times.push(performance.now() - due)
                if (status !== expected) refused += 1
              }),
            )
          }
          await Promise.all(under)
          const elapsedSeconds = (performance.now() - begun) / 1000
          times.sort((a, b) => a - b)
          const part = (share: number): number => times[Math.ceil(share * times.length) - 1] ?? Number.NaN
          print(
            `load of the machine ${loadavg()
              .map((load) => load.toFixed(1))
              .join(' ')}`,
          )
          const cpuMs = ((await platform.cpuSeconds()) - worked) * 1000
          return {
            'accepted per second': (times.length - refused) / elapsedSeconds,
            refused,
            'CPU ms each': cpuMs / times.length,
            'p50 ms': part(0.5),
            'p95 ms': part(0.95),
            'p99 ms': part(0.99),
          }
        },
        async stop() {
          if (--open === 0) await platform.stop()
        },
      }),
    )
  },
}
