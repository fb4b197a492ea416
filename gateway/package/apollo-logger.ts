import type { GatewayConfig } from '@apollo/gateway'
import { pino } from 'pino'
import type { Log } from '../../foundation/log.ts'

/** The logger of ApolloGateway's options. */
export type ApolloLogger = NonNullable<GatewayConfig['logger']>

const levels = ['debug', 'info', 'warn', 'error'] as const

/** Logs to standard error: warnings and errors, with `debug` everything. ApolloGateway's own default does the same. */
export function consoleLogger(debug: boolean): ApolloLogger {
  const write = (message: unknown): void => void process.stderr.write(`civigraph-gateway: ${String(message)}\n`)
  const quiet = debug ? write : () => undefined
  return { debug: quiet, info: quiet, warn: write, error: write }
}

/** A log of the executor whose lines, JSON texts, go to ApolloGateway's logger. */
export function logOver(logger: ApolloLogger): Log {
  return pino(
    { level: 'debug', base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
    {
      write(line: string) {
        const { level } = JSON.parse(line) as { readonly level: string }
        logger[levels.find((each) => each === level) ?? 'error'](line.trimEnd())
      },
    },
  )
}
