import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@elastic/elasticsearch'
import { SupervisedProcess } from '../../processes/supervised-process.ts'
import { Cluster, type ClusterNode } from './cluster.ts'
import { javaHome } from './java.ts'

const heap = '512m'
const inStepLimitMs = 120_000

/**
 * Three nodes, each eligible as master and with data: any two elect a master and have a copy of every shard.
 * @param distribution - as unpacked by the command   @param port - the first of three for HTTP; the transport ports are 100 above
 */
export async function elasticsearchCluster(distribution: string, folder: string, port: number): Promise<Cluster> {
  const env = { PATH: process.env.PATH, JAVA_HOME: await javaHome(25), HEAP: heap }
  const numbers = [0, 1, 2]
  const nameOf = (number: number): string => `node-${number + 1}`
  const common = {
    'cluster.name': 'civigraph-faults',
    'discovery.type': 'multi-node',
    'discovery.seed_hosts': numbers.map((number) => `127.0.0.1:${port + 100 + number}`).join(','),
    'cluster.initial_master_nodes': numbers.map(nameOf).join(','),
  }
  const node = (number: number): ClusterNode & { readonly name: string } => {
    const url = `http://127.0.0.1:${port + number}`
    const own = {
      'node.name': nameOf(number),
      'http.port': port + number,
      'transport.port': port + 100 + number,
      'path.data': join(folder, `elasticsearch-${number + 1}`),
    }
    const words = Object.entries({ ...common, ...own }).map(([name, value]) => `${name}=${value}`)
    const launched = new SupervisedProcess({
      name: 'elasticsearch',
      spawn: () =>
        spawn(join(distribution, 'start.sh'), [join(distribution, 'home'), ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
      // the response does not matter: there is no master before the second node runs
      isReady: () =>
        fetch(url).then(
          () => true,
          () => false,
        ),
    })
    return { url, process: launched, name: nameOf(number) }
  }
  const nodes = [node(0), node(1), node(2)] as const
  const query = async <Answer>(question: (client: Client) => Promise<Answer>): Promise<Answer> => {
    const client = new Client({ node: nodes.map(({ url }) => url), requestTimeout: 10_000 })
    try {
      return await question(client)
    } finally {
      await client.close()
    }
  }
  const masterOf = async (client: Client): Promise<string | undefined> => (await client.cat.master({ format: 'json' }))[0]?.node
  const untilInStep = (): Promise<void> =>
    query(async (client) => {
      for (const until = Date.now() + inStepLimitMs; ; await sleep(200)) {
        const health = await client.cluster.health({ timeout: '5s' }).catch(() => undefined)
        if (health?.status === 'green' && health.number_of_nodes === nodes.length) return
        if (Date.now() > until)
          throw new Error(`Elasticsearch is ${health?.status ?? 'unavailable'} with ${health?.number_of_nodes ?? 0} nodes`)
      }
    })
  return new Cluster({
    name: 'elasticsearch',
    nodes,
    afterStart: untilInStep,
    untilInStep,
    // the node with the primary shard of the expressions, which is made the master, too
    leader: () =>
      query(async (client) => {
        const shards = await client.cat.shards({ format: 'json', index: '*-expressions-*' })
        const holder = nodes.find(({ name }) => shards.some(({ prirep, node: on }) => prirep === 'p' && on === name))
        if (holder === undefined) throw new Error('no node of Elasticsearch holds the expressions')
        const others = nodes.filter((each) => each !== holder).map(({ name }) => name)
        await client.cluster.postVotingConfigExclusions({ node_names: others, timeout: '30s' })
        for (const until = Date.now() + inStepLimitMs; (await masterOf(client)) !== holder.name; await sleep(200))
          if (Date.now() > until) throw new Error(`${holder.name} of Elasticsearch does not become the master`)
        await client.cluster.deleteVotingConfigExclusions({ wait_for_removal: false })
        return holder
      }),
  })
}
