import { pino } from 'pino'
import { expect, it } from 'vitest'
import { newerWatch } from '../../../foundation/health/newer-format.ts'

it('work of a newer release is logged once, and again after it was processed', async () => {
  const lines: unknown[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const counts = [0, 3, 4, 0, 1, 1]
  const counted = Promise.withResolvers<void>()
  const count = async (): Promise<number> => {
    if (counts.length === 1) counted.resolve()
    return counts.shift() ?? 0
  }
  const watch = newerWatch('messages', count, log, 1)
  await watch.start(AbortSignal.timeout(60_000))
  await counted.promise
  await watch.stop()
  const line = { level: 40, msg: 'messages of a newer release wait for a process of that release' }
  expect(lines).toMatchObject([
    { ...line, waiting: 3 },
    { ...line, waiting: 1 },
  ])
})
