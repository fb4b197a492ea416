import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'

it('a process without free file descriptors neither exits nor busy-loops, and accepts again when connections close', async () => {
  const program = `
    const { listener } = await import(${JSON.stringify(new URL('../../../foundation/http/listener.ts', import.meta.url).href)})
    const server = listener(undefined, () => false, {}, { headersTimeoutMs: 60_000 })
    server.get('/', async () => process.cpuUsage().user + process.cpuUsage().system)
    await server.listen({ port: 0, host: '127.0.0.1' })
    console.log(server.server.address().port)`
  const command = 'ulimit -n 80 && exec "$0" --input-type=module -e "$1"'
  const child = spawn('sh', ['-c', command, process.execPath, program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.stdout.once('data', (bytes) => resolve(Number(bytes)))
      child.once('exit', () => reject(new Error('the process has ended')))
    })
    const cpuUs = async (): Promise<number> =>
      Number(await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text())
    const before = await cpuUs()
    let refused = 0
    const sockets: Socket[] = Array.from({ length: 200 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .once('close', () => {
          refused += 1
        }),
    )
    await expect.poll(() => refused).toBeGreaterThan(100)
    for (const socket of sockets) socket.destroy()
    let after = 0
    await expect
      .poll(async () => {
        after = await cpuUs().catch(() => 0)
        return after
      })
      .toBeGreaterThan(0)
    expect(after - before).toBeLessThan(5_000_000)
    expect(child.exitCode).toBeNull()
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})
