import { afterEach } from 'vitest'

/** Closes what a test of this file adds to it after the test, in reverse order. */
export function closedAfterEach(): AsyncDisposable[] {
  const open: AsyncDisposable[] = []
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
  })
  return open
}
