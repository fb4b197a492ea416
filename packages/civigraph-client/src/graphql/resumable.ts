import type { Client, FormattedExecutionResult, SubscribePayload } from 'graphql-ws'

/** events of one iteration that its reader has not read yet */
const maxUnread = 1000

/**
 * A client of graphql-ws whose subscriptions go on where they were when its connection was lost: nothing is missed, nothing comes twice.
 * Of a subscription whose events have `extensions.cursor`, graphql-ws sends the last one along whenever it connects again; and one that
 * ends because the gateway has loaded another schema is begun again behind it. What happens before the first event has come is not
 * kept: give the place where to begin as a variable, if that matters.
 * @param client - with as many `retryAttempts` as it may take
 */
export function resumable(client: Client): Client {
  const subscribe: Client['subscribe'] = (payload, sink) => {
    // this very object is sent again on each connection
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
        error: (error) => sink.error(error),
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
      if (unread.length >= maxUnread) over({ error: new Error(`${maxUnread} events wait to be read`) })
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
