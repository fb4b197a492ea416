import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

/** Whether a process that imports a module of the gateway has loaded @apollo/gateway. */
async function loadsApolloGateway(module: string): Promise<boolean> {
  const program = `await import('./gateway/${module}')
    const { default: { _cache } } = await import('node:module')
    process.stdout.write(String(Object.keys(_cache).some((file) => file.includes('/@apollo/gateway/'))))
    process.exit()`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--no-warnings', '--eval', program], { cwd: process.cwd() })
  return stdout === 'true'
}

it('loads ApolloGateway for the gateway role and the class only: REST needs the executor alone', async () => {
  expect(
    await Promise.all(['executor/executor.ts', 'server/gateway-server.ts', 'package/listener-gateway.ts'].map(loadsApolloGateway)),
  ).toEqual([false, false, true])
})
