import { type Logger, pino } from 'pino'

export type Log = Logger

/**
 * Creates the root logger: JSON lines on standard output. Values first, a constant message second: `log.info({ jobId, durationMs }, 'faces
 * compared')`. Never log an image, a token or a name; the redaction below is only a safety net.
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

/** Returns the logger of one request, which adds the request id to each line. */
export function logOfRequest(log: Log, requestId: string): Log {
  return log.bindings().requestId === requestId ? log : log.child({ requestId })
}

export const silentLog: Log = pino({ level: 'silent' })
