import { type Client, createClient } from 'graphql-ws'
import { RemoteSocket } from './remote-socket.ts'

const pingMs = 10_000
const pongMs = 5000

/** Shares graphql-ws connections to one subgraph between operations with an equal init payload; closes a connection when its last user releases it. */
export function remoteConnections(address: URL): {
  acquire(initPayload: Readonly<Record<string, string>> | undefined): RemoteConnection & Disposable
  stop(): void
} {
  const shared = new Map<string, { readonly connection: RemoteConnection; users: number }>()
  return {
    acquire(initPayload) {
      const key = JSON.stringify(initPayload)
      const entry = shared.get(key) ?? { connection: connect(address, initPayload), users: 0 }
      shared.set(key, entry)
      entry.users += 1
      return {
        ...entry.connection,
        [Symbol.dispose]() {
          entry.users -= 1
          if (entry.users > 0) return
          shared.delete(key)
          entry.connection.close()
        },
      }
    },
    stop() {
      for (const { connection } of shared.values()) connection.close()
    },
  }
}

/** A graphql-ws connection, opened on first use. */
export interface RemoteConnection {
  readonly client: Client
  /** Returns a function that reports whether a connection was open at this call or later. */
  watch(): () => boolean
  /** Ends the operations of the connection and a pending connection attempt. */
  close(): void
}

/** Creates a client that terminates the connection when a pong is missing. */
function connect(address: URL, connectionParams: Readonly<Record<string, string>> | undefined): RemoteConnection {
  const url = new URL(address)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const client = createClient({
    url: url.href,
    webSocketImpl: RemoteSocket,
    lazy: true,
    retryAttempts: 0,
    keepAlive: pingMs,
    connectionAckWaitTimeout: 5000,
    ...(connectionParams === undefined ? {} : { connectionParams }),
  })
  let isOpen = false
  let connectionCount = 0
  let pongTimer: NodeJS.Timeout | undefined
  client.on('connected', () => {
    isOpen = true
    connectionCount += 1
  })
  client.on('closed', () => {
    isOpen = false
    clearTimeout(pongTimer)
  })
  client.on('ping', (received) => {
    if (!received) pongTimer = setTimeout(() => client.terminate(), pongMs)
  })
  client.on('pong', (received) => {
    if (received) clearTimeout(pongTimer)
  })
  return {
    client,
    watch() {
      const [wasOpen, countBefore] = [isOpen, connectionCount]
      return () => wasOpen || connectionCount > countBefore
    },
    close() {
      // dispose() waits for a pending connection, and rejects if that fails
      Promise.resolve(client.dispose()).catch(() => undefined)
      if (!isOpen) client.terminate()
    },
  }
}
