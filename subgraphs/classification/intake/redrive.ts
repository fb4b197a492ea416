import { z } from 'zod'
import type { AnalyticsStore, DeadLetter } from '../../../engines/analytics-store/analytics-store.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import { saveWithCurrentDomains } from '../expression/current-domains.ts'
import { type ExpressionDocument, readQueued } from '../expression/expression-document.ts'
import { StepInput } from '../expression/expression-input.ts'
import { recordOf } from '../expression/expression-mapping.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'

const lettersAtOnce = 100

/** Result of a redrive. */
export interface RedriveResult {
  readonly written: number
  /** expressions whose failed steps will be retried */
  readonly waiting: number
  readonly failed: number
  /** ids that are no longer dead letters */
  readonly ids: readonly string[]
}

export interface RedriveEngines {
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly retries: StepRetries
}

/** strict: a queued expression may have this member besides the document */
const Steps = z.strictObject({ given: StepInput })

/**
 * Processes dead letters again: writes those that could not be written, and schedules retries for those without results. Those that fail
 * again remain with the new reason.
 * @param mayContinue - called before each (default: until none remains)
 * @throws {EngineUnavailable}
 */
export async function redriveDeadLetters(
  { store, retries }: RedriveEngines,
  mayContinue: () => boolean = () => true,
): Promise<RedriveResult> {
  const tally = new Tally()
  const seen = new Set<string>()
  for (;;) {
    // those that fail again move to the end of the list
    const letters = (await store.deadLetters(lettersAtOnce)).filter(({ id }) => !seen.has(id))
    if (letters.length === 0) return tally
    for (const letter of letters) {
      if (!mayContinue()) return tally
      seen.add(letter.id)
      tally.add(letter.id, await redrive(letter, store, retries))
    }
  }
}

/** Processes the dead letters with these ids again. @throws {EngineUnavailable} */
export async function redriveSome({ store, retries }: RedriveEngines, ids: readonly string[]): Promise<RedriveResult> {
  const tally = new Tally()
  for (const letter of await store.findDeadLetters(ids)) tally.add(letter.id, await redrive(letter, store, retries))
  return tally
}

class Tally implements RedriveResult {
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
    if (given != null) await retries.schedule([{ id: letter.id, given }])
    if (queued !== undefined) await saveWithCurrentDomains(store, [recordOf(queued)])
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error
    await store.storeDeadLetters([{ ...letter, reason: messageOf(error) }])
    return 'failed'
  }
  await store.removeDeadLetters([letter.id])
  return steps.success ? 'waiting' : 'written'
}
