import { describe, expect, it } from 'vitest'
import { LoginTurns } from '../../../engines/identity/login-turns.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'

/** Returns an issuer that answers each login when the test calls `answer`. */
function heldIssuer() {
  const logins: { readonly answer: (text: string) => void; readonly signal: AbortSignal }[] = []
  const ask = (signal: AbortSignal): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    signal.addEventListener('abort', () => reject(signal.reason))
    logins.push({ answer: resolve, signal })
    return promise
  }
  return { logins, ask }
}
const patient = (): AbortSignal => new AbortController().signal

describe('logins at an issuer with brute-force protection', () => {
  it('of one person are sequential, and those of others run concurrently', async () => {
    const { logins, ask } = heldIssuer()
    const turns = new LoginTurns(undefined)
    const [first, second, other] = ['ada', 'ada', 'bob'].map((person) => turns.hold(person, ask, patient()))
    await expect.poll(() => logins.length).toBe(2)
    logins[1]?.answer('of bob')
    expect(await other).toBe('of bob')
    expect(logins).toHaveLength(2)
    logins[0]?.answer('first')
    expect(await first).toBe('first')
    await expect.poll(() => logins.length).toBe(3)
    logins[2]?.answer('second')
    expect(await second).toBe('second')
  })

  it('hold the turn until the issuer answers, also after the client disconnected', async () => {
    const { logins, ask } = heldIssuer()
    const turns = new LoginTurns(undefined)
    const disconnecting = new AbortController()
    const first = turns.hold('ada', ask, disconnecting.signal)
    await expect.poll(() => logins.length).toBe(1)
    disconnecting.abort(new Error('disconnected'))
    await expect(first).rejects.toThrow('disconnected')
    const second = turns.hold('ada', ask, patient())
    const impatient = AbortSignal.abort(new Error('disconnected, too'))
    await expect(turns.hold('ada', ask, impatient)).rejects.toThrow('disconnected, too')
    expect([logins.length, logins[0]?.signal.aborted]).toEqual([1, false])
    logins[0]?.answer('to no client')
    await expect.poll(() => logins.length).toBe(2)
    logins[1]?.answer('second')
    expect(await second).toBe('second')
  })

  it('pass the turn on when the issuer never answers or fails', async () => {
    const { logins, ask } = heldIssuer()
    const turns = new LoginTurns(undefined, 30)
    await expect(turns.hold('ada', ask, patient())).rejects.toThrow()
    expect(logins[0]?.signal.aborted).toBe(true)
    await expect(turns.hold('ada', () => Promise.reject(new Error('refused')), patient())).rejects.toThrow('refused')
    expect(await turns.hold('ada', async () => 'answered', patient())).toBe('answered')
  })

  it('of one person are sequential in all processes that share a store', async () => {
    const { logins, ask } = heldIssuer()
    const store = memoryKeyValue()
    const [here, there] = [new LoginTurns(store), new LoginTurns(store)]
    const first = here.hold('Ada@example.org', ask, patient())
    await expect.poll(() => logins.length).toBe(1)
    const second = there.hold('ada@example.org', ask, patient())
    const timedOut = expect(there.hold('ada@example.org', ask, AbortSignal.timeout(150))).rejects.toThrow('timeout')
    expect(await there.hold('bob@example.org', async () => 'of bob', patient())).toBe('of bob')
    await timedOut
    expect(logins).toHaveLength(1)
    logins[0]?.answer('first')
    expect(await first).toBe('first')
    await expect.poll(() => logins.length).toBe(2)
    logins[1]?.answer('second')
    expect(await second).toBe('second')
  })

  it('proceed when the lease of a terminated process has expired, and are refused before that', async () => {
    const { logins, ask } = heldIssuer()
    const clock = { ms: 0, now: () => clock.ms }
    const store = memoryKeyValue({ clock })
    // the terminated process: its login is never answered
    new LoginTurns(store).hold('ada', ask, patient()).catch(() => undefined)
    await expect.poll(() => logins.length).toBe(1)
    const there = new LoginTurns(store, 50)
    await expect(there.hold('ada', async () => 'too early', patient())).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    clock.ms = 60_000
    expect(await there.hold('ada', async () => 'answered', patient())).toBe('answered')
  })

  it('proceed within each process while the store is unavailable', async () => {
    const { logins, ask } = heldIssuer()
    const unavailable = () => Promise.reject(new EngineUnavailable('key-value store'))
    const turns = new LoginTurns({ ...memoryKeyValue(), setIfAbsent: unavailable, deleteIf: unavailable })
    const [first, second] = ['first', 'second'].map(() => turns.hold('ada', ask, patient()))
    await expect.poll(() => logins.length).toBe(1)
    logins[0]?.answer('first')
    expect(await first).toBe('first')
    await expect.poll(() => logins.length).toBe(2)
    logins[1]?.answer('second')
    expect(await second).toBe('second')
  })
})
