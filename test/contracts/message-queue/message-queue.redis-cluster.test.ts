import { onRedisCluster } from '../../support/engines/redis/on-cluster.ts'
import { bullmqMessagesContract } from './bullmq-messages.contract.ts'

await onRedisCluster((_, engine) => bullmqMessagesContract(engine))
