import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** HAProxy with the configuration of the compose deployment. */
export interface Balancer extends AsyncDisposable {
  /** Whether it sends requests to all servers at this address. */
  sendsTo(address: string): Promise<boolean>
}

/**
 * Balances two machines as deploying.md documents: with their addresses in place of Docker names, and also the ports of subgraphs. Without
 * TLS, so that every test client can use it.
 * @param folder - for its configuration and its admin socket
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
    (port) => `listen subgraph_${port}\n  bind ${address}:${port}\n  option httpchk GET /health/ready\n  ${servers(port)}\n`,
  )
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, [clients, ...subgraphs].join('\n'))
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => haproxy.once('exit', () => resolve()))
  return {
    async sendsTo(machine) {
      const lines = (await sendCommand(socket, 'show servers state')).split('\n').filter((line) => line.includes(` ${machine} `))
      // the sixth word is the state: 2 means up
      return lines.length > 0 && lines.every((line) => line.split(' ')[5] === '2')
    },
    async [Symbol.asyncDispose]() {
      haproxy.kill()
      await ended
    },
  }
}

/** Sends a command to HAProxy. @returns the response */
const sendCommand = (socket: string, command: string): Promise<string> => text(connect(socket).end(`${command}\n`))
