import type { Server as HttpServer } from 'node:http'
import type { Part } from '../../foundation/lifecycle.ts'

/** Handles the upgrades of a listener: starts before it opens, stops before it closes. */
export interface Sockets extends Part {
  attach(server: HttpServer): void
}
