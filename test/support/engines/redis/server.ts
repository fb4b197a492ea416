import { runsHere } from '../../processes/runs-here.ts'

/** Whether there is a redis-server on this machine. */
export const hasRedis = (): Promise<boolean> => runsHere('redis-server', '--version')
