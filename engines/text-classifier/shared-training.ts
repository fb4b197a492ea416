import { pause } from '../../foundation/lifecycle.ts'
import type { Database } from '../relational/database.ts'
import { takeLease } from '../relational/leadership/lease.ts'
import { clientOf } from '../relational/session.ts'
import type { TrainedClassifier, TrainingTask } from './text-classifier-worker.ts'
import { nameOf, oncePerTask, packed, type Train, type TrainOnce, unpacked } from './training-cache.ts'

/** classifiers of each purpose that stay in the database: those in use, and of a few versions before or after */
const maxStored = 4
/** interval at which other processes look for the result */
const pollMs = 500

/**
 * Trains once for all processes: the holder of a lease stores the result, the others load it. When that process dies, another one trains.
 * @param purpose - drafts do not displace what is published
 * @throws {EngineUnavailable}
 */
export function sharedTraining(database: Database, purpose: 'published' | 'draft', once: typeof oncePerTask = oncePerTask): TrainOnce {
  return (task, train, signal) => once(task, () => trainedByOne(database, purpose, task, train, signal))
}

async function trainedByOne(
  database: Database,
  purpose: string,
  task: TrainingTask,
  train: Train,
  signal: AbortSignal,
): Promise<TrainedClassifier> {
  const name = await nameOf(task)
  for (;;) {
    const stored = await load(database, name, purpose)
    if (stored !== undefined) return stored
    const lease = await takeLease(database, 'training of a text classifier')
    if (lease === undefined) {
      await pause(pollMs, signal)
      signal.throwIfAborted()
      continue
    }
    try {
      // another process may just have stored it
      const earlier = await load(database, name, purpose)
      if (earlier !== undefined) return earlier
      const trained = await train(task)
      await database.transaction(async (tx) => {
        await lease.guard(tx)
        const client = clientOf(tx)
        await client.query(
          `insert into text_classifier (name, purpose, content) values ($1, $2, $3)
           on conflict (name) do update set purpose = excluded.purpose, content = excluded.content, used_at = now()`,
          [name, purpose, packed(trained)],
        )
        await client.query(
          'delete from text_classifier where purpose = $1 and name not in (select name from text_classifier where purpose = $1 order by used_at desc limit $2)',
          [purpose, maxStored],
        )
      })
      return trained
    } finally {
      await lease.release()
    }
  }
}

/** Loads a classifier; a draft that was published is one of the published ones from then on. */
async function load({ pool }: Database, name: string, purpose: string): Promise<TrainedClassifier | undefined> {
  const { rows } = await pool.query<{ content: Buffer }>(
    `update text_classifier set used_at = now(), purpose = case when $2 = 'published' then $2 else purpose end where name = $1 returning content`,
    [name, purpose],
  )
  return rows[0] && unpacked(rows[0].content)
}
