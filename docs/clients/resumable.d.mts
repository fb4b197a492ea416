import type { Client } from 'graphql-ws'

/** A client whose subscriptions miss nothing when its connection is lost, where their events have `extensions.cursor`. */
export function resumable(client: Client): Omit<Client, 'iterate'>
