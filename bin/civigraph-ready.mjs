#!/usr/bin/env node
// Exits with 0 if the process on METRICS_PORT of this container is ready, else with 1 and the reason. For health checks and roll-outs.
const { METRICS_HOST = '', METRICS_PORT: port = '4009' } = process.env
// a listener on every address also has this one
const host = ['', '0.0.0.0', '::'].includes(METRICS_HOST) ? '127.0.0.1' : METRICS_HOST.includes(':') ? `[${METRICS_HOST}]` : METRICS_HOST
try {
  const answer = await fetch(`http://${host}:${port}/health/ready`, { signal: AbortSignal.timeout(2500) })
  if (!answer.ok) console.log((await answer.json()).error ?? 'not ready: starting or draining')
  process.exit(answer.ok ? 0 : 1)
} catch (error) {
  console.log(`no answer on port ${port}: ${error.message}`)
  process.exit(1)
}
