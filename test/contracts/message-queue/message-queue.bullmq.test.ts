import { queueEngines } from '../../support/engines/queue-engines.ts'
import { bullmqMessagesContract } from './bullmq-messages.contract.ts'

for (const engine of queueEngines()) bullmqMessagesContract(engine)
