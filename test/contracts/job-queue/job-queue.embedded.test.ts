import { jobQueueContract } from './job-queue.contract.ts'

jobQueueContract('embedded PostgreSQL')
