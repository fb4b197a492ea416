import type { Client, FormattedExecutionResult, SubscribePayload } from 'graphql-ws'

/** events of one iteration that its reader has not consumed */
const maxUnread = 1000

/**
 * Makes the subscriptions of a graphql-ws client resume after a lost connection, without missing or repeating events. Where events have
 * `extensions.cursor`, each connection sends the last one; a subscription that ends because the gateway loaded another schema restarts
 * after it. Events before the first received one are not resumed: pass the start position as a variable if it matters.
 * @param client - with the wanted number of `retryAttempts`
 * @param recovers - whether a subscription that ended with this error or close event may be opened again (default: never)
 * @param reasonOf - returns what the subscriber receives for it (default: the same)
 */
export function resumable(
  client: Client,
  recovers?: (thrown: { readonly code?: unknown }) => Promise<boolean>,
  reasonOf: (thrown: unknown) => unknown = (thrown) => thrown,
): Client {
  const subscribe: Client['subscribe'] = (payload, sink) => {
    // graphql-ws resends this object on each connection
    const extensions: Record<string, unknown> = { cursor: null, ...payload.extensions }
    const current: SubscribePayload = { ...payload, extensions }
    let [isLeft, isReloaded] = [false, false]
    let leave = (): void => undefined
    const begin = (): void => {
      isReloaded = false
      leave = client.subscribe<never, never>(current, {
        next(result) {
          isReloaded = isOfReload(result)
          if (isReloaded) return
          const { cursor } = (result.extensions ?? {}) as { readonly cursor?: unknown }
          extensions.cursor = cursor ?? extensions.cursor
          sink.next(result)
        },
        error: (error) => {
          const recovery = recovers?.((error ?? {}) as { readonly code?: unknown }) ?? Promise.resolve(false)
          void recovery.then((isRecovered) => {
            if (!isRecovered) sink.error(reasonOf(error))
            else if (isLeft) sink.complete()
            else begin()
          })
        },
        complete: () => (isReloaded && !isLeft ? begin() : sink.complete()),
      })
    }
    begin()
    return () => {
      isLeft = true
      leave()
    }
  }
  return { ...client, subscribe, iterate: (payload) => iterate(subscribe, payload) }
}

/** @throws {Error} when its reader is more than 1,000 events behind */
async function* iterate<TData, TExtensions>(
  subscribe: Client['subscribe'],
  payload: SubscribePayload,
): AsyncGenerator<FormattedExecutionResult<TData, TExtensions>, void, never> {
  const unread: FormattedExecutionResult<TData, TExtensions>[] = []
  let end: { readonly error?: unknown } | undefined
  let wake = (): void => undefined
  const over = (how: { readonly error?: unknown }): void => {
    end ??= how
    wake()
  }
  const leave = subscribe<TData, TExtensions>(payload, {
    next(event) {
      if (unread.length >= maxUnread)
        over({ error: new Error(`The subscription ended: ${maxUnread} events are unread; read them as they arrive`) })
      else unread.push(event)
      wake()
    },
    error: (error) => over({ error }),
    complete: () => over({}),
  })
  try {
    for (;;) {
      for (let event = unread.shift(); event !== undefined; event = unread.shift()) yield event
      if (end !== undefined && 'error' in end) throw end.error
      if (end !== undefined) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    leave()
  }
}

const isOfReload = ({ errors }: FormattedExecutionResult): boolean =>
  errors?.some(({ extensions }) => extensions?.code === 'SUBSCRIPTION_SCHEMA_RELOAD') === true
