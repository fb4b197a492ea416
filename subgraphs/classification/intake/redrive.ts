import { z } from 'zod'
import type { AnalyticsStore, DeadLetter } from '../../engines/analytics-store/analytics-store.ts'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import { type ExpressionDocument, GivenForSteps, readQueued } from '../expression/expression-document.ts'
import { recordOf } from '../expression/expression-mapping.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'

const lettersAtOnce = 100
/** strict: what was queued may have this member beside the expression itself */
const Steps = z.strictObject({ given: GivenForSteps })

/**
 * Gives dead letters another chance: what could not be written is written, what lacks findings is tried again by the worker, also of what is
 * written here. One that fails once more stays, with its new reason.
 * @throws {EngineUnavailable}
 */
export async function redriveDeadLetters(engines: {
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly retries: StepRetries
}): Promise<{ readonly written: number; readonly waiting: number; readonly failed: number }> {
  const { store, retries } = engines
  const redriven = { written: 0, waiting: 0, failed: 0 }
  const seen = new Set<string>()
  for (;;) {
    // those that fail again go to the end of the list
    const letters = (await store.deadLetters(lettersAtOnce)).filter(({ id }) => !seen.has(id))
    if (letters.length === 0) return redriven
    for (const letter of letters) {
      seen.add(letter.id)
      redriven[await redrive(letter, store, retries)] += 1
    }
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
