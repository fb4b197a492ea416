import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** HAProxy with the file of the compose deployment. */
export interface Balancer extends AsyncDisposable {
  /** whether it sends requests to everything that is at this address */
  sendsTo(address: string): Promise<boolean>
}

/**
 * Before two machines, as deploying.md says it: their addresses in place of names that Docker knows, and the ports of subgraphs as well. Without
 * TLS, so that every client of a test can come through it.
 * @param folder - for its file and the socket on which it tells what it knows
 */
export async function openBalancer(address: string, machines: readonly string[], folder: string): Promise<Balancer> {
  const deployed = await readFile(new URL('../../../deploy/compose/haproxy.cfg', import.meta.url), 'utf8')
  const servers = (port: number): string => machines.map((each, index) => `server machine${index + 1} ${each}:${port}`).join('\n  ')
  const socket = join(folder, 'haproxy.sock')
  const clients = deployed
    .replace(' resolvers names init-addr libc,none', '')
    .replace(/server-template \w+ 2 \w+:(\d+)/g, (_, port: string) => servers(Number(port)))
    .replace(/bind :(\d+) ssl .*/g, `bind ${address}:$1`)
    .replace('maxconn 20000', `maxconn 200\n  stats socket ${socket} mode 600`)
  const subgraphs = [4011, 4012, 4013, 4014, 4015].map(
    (port) => `listen subgraph_${port}\n  bind ${address}:${port}\n  option httpchk GET /health/live\n  ${servers(port)}\n`,
  )
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, [clients, ...subgraphs].join('\n'))
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => haproxy.once('exit', () => resolve()))
  return {
    async sendsTo(machine) {
      const lines = (await sendCommand(socket, 'show servers state')).split('\n').filter((line) => line.includes(` ${machine} `))
      // the sixth word: 2 is up
      return lines.length > 0 && lines.every((line) => line.split(' ')[5] === '2')
    },
    async [Symbol.asyncDispose]() {
      haproxy.kill()
      await ended
    },
  }
}

/** What HAProxy answers to a command. */
const sendCommand = (socket: string, command: string): Promise<string> => text(connect(socket).end(`${command}\n`))
