import { queueEngine } from '../../support/engines/queue-engines.ts'
import { jobQueueContract } from './job-queue.contract.ts'

jobQueueContract(queueEngine('embedded PostgreSQL'))
