import { z } from 'zod'
import type { AnalyticsStore, DeadLetter } from '../../../engines/analytics-store/analytics-store.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import { type ExpressionDocument, GivenForSteps, readQueued } from '../expression/expression-document.ts'
import { recordOf } from '../expression/expression-mapping.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'

const lettersAtOnce = 100

/** What became of dead letters that were given another chance. */
export interface Redriven {
  readonly written: number
  /** for another try of their failed steps */
  readonly waiting: number
  readonly failed: number
  /** of those that are dead letters no longer */
  readonly ids: readonly string[]
}

export interface RedriveEngines {
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly retries: StepRetries
}

/** strict: what was queued may have this member beside the expression itself */
const Steps = z.strictObject({ given: GivenForSteps })

/**
 * Gives dead letters another chance: what could not be written is written, what lacks findings is tried again by the worker, also of what is
 * written here. One that fails once more stays, with its new reason.
 * @param mayGoOn - asked before each (default: until there is none left)
 * @throws {EngineUnavailable}
 */
export async function redriveDeadLetters({ store, retries }: RedriveEngines, mayGoOn: () => boolean = () => true): Promise<Redriven> {
  const tally = new Tally()
  const seen = new Set<string>()
  for (;;) {
    // those that fail again go to the end of the list
    const letters = (await store.deadLetters(lettersAtOnce)).filter(({ id }) => !seen.has(id))
    if (letters.length === 0) return tally
    for (const letter of letters) {
      if (!mayGoOn()) return tally
      seen.add(letter.id)
      tally.add(letter.id, await redrive(letter, store, retries))
    }
  }
}

/** The same with those of these ids that are dead letters. @throws {EngineUnavailable} */
export async function redriveSome({ store, retries }: RedriveEngines, ids: readonly string[]): Promise<Redriven> {
  const tally = new Tally()
  for (const letter of await store.findDeadLetters(ids)) tally.add(letter.id, await redrive(letter, store, retries))
  return tally
}

class Tally implements Redriven {
  written = 0
  waiting = 0
  failed = 0
  readonly ids: string[] = []

  add(id: string, outcome: 'written' | 'waiting' | 'failed'): void {
    this[outcome] += 1
    if (outcome !== 'failed') this.ids.push(id)
  }
}

async function redrive(
  letter: DeadLetter,
  store: AnalyticsStore<ExpressionDocument>,
  retries: StepRetries,
): Promise<'written' | 'waiting' | 'failed'> {
  const steps = Steps.safeParse(letter.content)
  try {
    const queued = steps.success ? undefined : readQueued(letter.content)
    const given = steps.success ? steps.data.given : queued?.given
    if (given != null) await retries.keep([{ id: letter.id, given }])
    if (queued !== undefined) await store.saveExpressions([recordOf(queued)])
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error
    await store.keepDeadLetters([{ ...letter, reason: messageOf(error) }])
    return 'failed'
  }
  await store.removeDeadLetters([letter.id])
  return steps.success ? 'waiting' : 'written'
}
