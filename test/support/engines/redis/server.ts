import { runsHere } from '../../processes/runs-here.ts'

/** Whether redis-server is installed. */
export const hasRedis = (): Promise<boolean> => runsHere('redis-server', '--version')
