import { jobQueueContract } from './job-queue.contract.ts'

jobQueueContract('real PostgreSQL')
