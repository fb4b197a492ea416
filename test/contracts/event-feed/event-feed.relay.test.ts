import { queueEngines } from '../../support/engines/queue-engines.ts'
import { relayFeedContract } from './relay-feed.contract.ts'

for (const engine of queueEngines()) relayFeedContract(engine)
