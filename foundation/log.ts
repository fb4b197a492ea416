import { type Logger, pino } from 'pino'

export type Log = Logger

/**
 * The root logger: JSON lines on standard output. Values first, a constant sentence second: `log.info({ jobId, durationMs }, 'faces compared')`.
 * Never an image, a token or a name; the redaction below is the net, not the plan.
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'authorization',
        'password',
        'token',
        'key',
        'secret',
        '*.authorization',
        '*.password',
        '*.token',
        '*.key',
        '*.secret',
        'headers',
        '*.headers',
      ],
      censor: '[redacted]',
    },
  })
}

/** The log of one request: each line names it, once. */
export function logOfRequest(log: Log, requestId: string): Log {
  return log.bindings().requestId === requestId ? log : log.child({ requestId })
}

export const silentLog: Log = pino({ level: 'silent' })
