import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AdmissionGate } from '../../foundation/concurrency/load-gate.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Authentication } from '../../foundation/http/authentication.ts'
import type { Intake } from '../../foundation/http/read-body.ts'
import type { Log } from '../../foundation/log.ts'
import type { Executor } from '../../gateway/executor/executor.ts'
import type { BodyThread } from '../request/large-body.ts'

/** The dependencies of every handler. */
export interface HandlerDependencies {
  readonly executor: Executor
  readonly authentication: Authentication
  readonly config: Config
  readonly log: Log
  readonly intake: Intake
  /** decodes large bodies; absent: on the event loop */
  readonly bodyThread?: BodyThread | undefined
  /** checked before any work */
  readonly gate: AdmissionGate
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
