import { afterEach } from 'vitest'

/** What a test of this file puts here is closed after it, the last first. */
export function closedAfterEach(): AsyncDisposable[] {
  const open: AsyncDisposable[] = []
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
  })
  return open
}
