import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SupervisedProcess } from '../../processes/supervised-process.ts'
import { Cluster, type ClusterNode } from './cluster.ts'
import { javaHome } from './java.ts'

const heap = '512m'

/**
 * Three nodes on 127.0.0.1 to 127.0.0.3, on one port as in a real cluster, which the platform's driver discovers. With three
 * replicas, two nodes form a local quorum.
 * @param distribution - as unpacked by the command   @param port - for CQL; the internode and JMX ports are below it
 */
export async function cassandraCluster(distribution: string, folder: string, port: number): Promise<Cluster> {
  const java = join(await javaHome(17), 'bin/java')
  const [conf, lib] = [join(distribution, 'conf'), join(distribution, 'lib')]
  const agent = (await readdir(lib)).find((name) => /^jamm-.*\.jar$/.test(name))
  if (agent === undefined) throw new Error(`there is no jamm in ${lib}`)
  const settings = await readFile(join(conf, 'cassandra.yaml'), 'utf8')

  const node = async (number: number): Promise<ClusterNode> => {
    const address = `127.0.0.${number}`
    const home = join(folder, `cassandra-${number}`)
    await mkdir(home, { recursive: true })
    const own = settings
      .replaceAll(/^(listen_address|rpc_address): .*$/gm, `$1: ${address}`)
      // hinted handoff stores the writes that an unavailable node misses, as by default
      .replace(/^hinted_handoff_enabled: .*$/m, 'hinted_handoff_enabled: true')
    const file = join(home, 'cassandra.yaml')
    await writeFile(file, own)
    const properties = {
      'cassandra.config': `file://${file}`,
      'logback.configurationFile': join(conf, 'logback.xml'),
      'cassandra.storagedir': home,
      'cassandra.native_transport_port': port,
      'cassandra.storage_port': port - 1000,
      'cassandra.jmx.local.port': port - 1000 + number,
      'cassandra.superuser_setup_delay_ms': 0,
      'cassandra.ring_delay_ms': 2000,
      'cassandra-foreground': 'yes',
    }
    const words = [
      `-Xms${heap}`,
      `-Xmx${heap}`,
      '-XX:MaxDirectMemorySize=256m',
      `-javaagent:${join(lib, agent)}`,
      `@${join(conf, 'jvm17.args')}`,
      ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
      '-cp',
      `${conf}:${join(lib, '*')}`,
      'org.apache.cassandra.service.CassandraDaemon',
    ]
    const launched = new SupervisedProcess({
      name: 'cassandra',
      spawn: () => spawn(java, words, { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] }),
      isReady: (output) => output.includes('Starting listening for CQL clients'),
    })
    return { url: `http://${address}:${port}`, process: launched }
  }
  const nodes = [await node(1), await node(2), await node(3)] as const
  return new Cluster({
    name: 'cassandra',
    nodes,
    contactPoints: nodes.map(({ url }) => new URL(url).host),
    untilInStep: async () => void (await Promise.all(nodes.map(({ process: each }) => each.untilReady()))),
    leader: async (led) => led,
  })
}
