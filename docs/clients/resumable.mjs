/**
 * A client of graphql-ws whose subscriptions go on where they were when its connection was lost: nothing is missed, nothing comes twice.
 * Of a subscription whose events have `extensions.cursor`, graphql-ws sends the last one along whenever it connects again; and one that
 * ends because the gateway has loaded another schema is begun again behind it. What happens before the first event has come is not
 * kept: give the place where to begin as a variable, if that matters.
 * @param {import('graphql-ws').Client} client - with as many `retryAttempts` as it may take
 */
export function resumable(client) {
  const { iterate: _, ...rest } = client
  return {
    ...rest,
    subscribe(payload, sink) {
      // this very object is sent again on each connection
      const current = { ...payload, extensions: { cursor: null, ...payload.extensions } }
      let [isLeft, isReloaded] = [false, false]
      let leave
      const begin = () => {
        isReloaded = false
        leave = client.subscribe(current, {
          next(result) {
            isReloaded = result.errors?.some(({ extensions }) => extensions?.code === 'SUBSCRIPTION_SCHEMA_RELOAD') === true
            if (isReloaded) return
            current.extensions.cursor = result.extensions?.cursor ?? current.extensions.cursor
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
    },
  }
}
