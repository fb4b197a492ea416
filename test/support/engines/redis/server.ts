import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether there is a redis-server on this machine. */
export const hasRedis = (): Promise<boolean> =>
  promisify(execFile)('redis-server', ['--version']).then(
    () => true,
    () => false,
  )
