import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { healthRoutes } from '../../../../gateway/protocols/health.ts'

it.each([
  ['ok', true, 200],
  ['degraded', true, 200],
  ['down', false, 503],
] as const)('/health of a gateway that is %s has Retry-After only with status 503', async (status, isReady, code) => {
  await using server = Fastify()
  healthRoutes(
    server,
    async () => ({ status, version: '1', uptime_s: 1, checks: {} }),
    () => isReady,
  )
  for (const url of ['/health', '/health/ready']) {
    const { statusCode, headers } = await server.inject(url)
    expect([statusCode, Number(headers['retry-after'] ?? 0) > 0]).toEqual([code, code === 503])
  }
})
