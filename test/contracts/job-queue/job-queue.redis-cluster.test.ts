import { onRedisCluster } from '../../support/engines/redis/on-cluster.ts'
import { jobQueueContract } from './job-queue.contract.ts'

await onRedisCluster((_, engine) => jobQueueContract(engine))
