import { type Client, createClient } from 'graphql-ws'
import { RemoteSocket } from './remote-socket.ts'

const pingMs = 10_000
const pongMs = 5000

/** Shares graphql-ws connections to one subgraph between operations with an equal init payload; closes a connection when its last user releases it. */
export function remoteConnections(address: URL): {
  /** @param shown - the init payload; callers with equal ones share a connection */
  lend(shown: Readonly<Record<string, string>> | undefined): RemoteConnection & Disposable
  stop(): void
} {
  const lent = new Map<string, { readonly client: RemoteConnection; users: number }>()
  return {
    lend(shown) {
      const key = JSON.stringify(shown)
      const entry = lent.get(key) ?? { client: connect(address, shown), users: 0 }
      lent.set(key, entry)
      entry.users += 1
      return {
        ...entry.client,
        [Symbol.dispose]() {
          entry.users -= 1
          if (entry.users > 0) return
          lent.delete(key)
          entry.client.close()
        },
      }
    },
    stop() {
      for (const { client } of lent.values()) client.close()
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
  let open = false
  let connections = 0
  let silence: NodeJS.Timeout | undefined
  client.on('connected', () => {
    open = true
    connections += 1
  })
  client.on('closed', () => {
    open = false
    clearTimeout(silence)
  })
  client.on('ping', (received) => {
    if (!received) silence = setTimeout(() => client.terminate(), pongMs)
  })
  client.on('pong', (received) => {
    if (received) clearTimeout(silence)
  })
  return {
    client,
    watch() {
      const [wasOpen, before] = [open, connections]
      return () => wasOpen || connections > before
    },
    close() {
      // dispose() waits for a pending connection, and rejects if that fails
      Promise.resolve(client.dispose()).catch(() => undefined)
      if (!open) client.terminate()
    },
  }
}
