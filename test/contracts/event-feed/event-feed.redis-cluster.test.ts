import { onRedisCluster } from '../../support/engines/redis/on-cluster.ts'
import { relayFeedContract } from './relay-feed.contract.ts'

await onRedisCluster((_, engine) => relayFeedContract(engine))
