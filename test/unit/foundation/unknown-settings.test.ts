import { expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'

const closestOf = (...names: readonly string[]) =>
  parseConfig(Object.fromEntries(names.map((name) => [name, 'x'])), '/').unknownSettings.map(({ closest }) => closest)

it.each([
  ['INGEST_RAT', 'INGEST_RATE'],
  ['INGEST_RATES', 'INGEST_RATE'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['METRICS_PROT', 'METRICS_PORT'],
  ['VAULT_KEY_FIEL', 'VAULT_KEY_FILE'],
])('names the setting that %s resembles: %s', (name, closest) => expect(closestOf(name)).toEqual([closest]))

it('leaves variables of other programs alone', () =>
  expect(
    closestOf(
      'PATH',
      'HOME',
      'HOSTNAME',
      'REDIS_SERVICE_HOST',
      'GATEWAY_PORT',
      'OTEL_SERVICE_NAME',
      'NODE_EXTRA_CA_CERTS',
      'SSL_CERT_FILE',
      'npm_config_cache',
    ),
  ).toEqual([]))
