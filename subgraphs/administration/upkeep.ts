import type { MessageHandler } from '../engines/message-queue/message-queue.ts'
import { messageOf } from '../foundation/fault.ts'
import { compose, type Part, periodic } from '../foundation/lifecycle.ts'
import type { Log } from '../foundation/log.ts'
import { delegationMessages } from './delegations/delegation-messages.ts'
import { type FirstDelegations, keepFirstDelegations } from './delegations/first-delegations.ts'
import { passTime } from './delegations/pass-time.ts'
import type { AdministrationEngines } from './engines.ts'
import { type DevelopmentAdministrators, makeDevelopmentAdministrators } from './session/development-administrators.ts'

export interface UpkeepOptions {
  /** makes the part that hands over the broker's messages */
  readonly messages: (handler: MessageHandler) => Part
  readonly developmentAdministrators: DevelopmentAdministrators | undefined
  /** what an empty list of delegations begins with */
  readonly firstDelegations: FirstDelegations | undefined
  readonly log: Log
}

const passTimeEveryMs = 1000

/** What component D does beside answering: takes delegations from the broker, lets time pass for them, and in development makes the first administrators. */
export function administrationUpkeep(engines: AdministrationEngines, options: UpkeepOptions): Part {
  const { database, clock, accounts } = engines
  const { messages, developmentAdministrators, firstDelegations, log } = options
  const complain = (sentence: string) => (error: unknown) => log.warn({ reason: messageOf(error) }, sentence)
  let check: Promise<void> | undefined
  const people: Part = {
    name: 'development administrators',
    async start() {
      if (accounts === undefined || developmentAdministrators === undefined) return
      const refreshed = await makeDevelopmentAdministrators(accounts, developmentAdministrators)
      check = refreshed().catch(complain('the development administrators could not be checked'))
    },
    stop: async () => check,
  }
  let first = firstDelegations
  const time = periodic(
    'time of delegations',
    passTimeEveryMs,
    async (signal) => {
      if (first !== undefined) await keepFirstDelegations(database, clock, first)
      first = undefined
      await passTime(database, signal)
    },
    complain('time could not pass for delegations; the next round tries again'),
  )
  return compose('upkeep of administration', [people, messages(delegationMessages({ database, clock, log })), time])
}
