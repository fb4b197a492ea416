import { describe, expect, it } from 'vitest'
import { LoginSerializer } from '../../../engines/identity/login-serializer.ts'
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
    const turns = new LoginSerializer(undefined)
    const [first, second, other] = ['ada', 'ada', 'bob'].map((person) => turns.run(person, ask, patient()))
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
    const turns = new LoginSerializer(undefined)
    const disconnecting = new AbortController()
    const first = turns.run('ada', ask, disconnecting.signal)
    await expect.poll(() => logins.length).toBe(1)
    disconnecting.abort(new Error('disconnected'))
    await expect(first).rejects.toThrow('disconnected')
    const second = turns.run('ada', ask, patient())
    const impatient = AbortSignal.abort(new Error('disconnected, too'))
    await expect(turns.run('ada', ask, impatient)).rejects.toThrow('disconnected, too')
    expect([logins.length, logins[0]?.signal.aborted]).toEqual([1, false])
    logins[0]?.answer('to no client')
    await expect.poll(() => logins.length).toBe(2)
    logins[1]?.answer('second')
    expect(await second).toBe('second')
  })

  it('pass the turn on when the issuer never answers or fails', async () => {
    const { logins, ask } = heldIssuer()
    const turns = new LoginSerializer(undefined, 30)
    await expect(turns.run('ada', ask, patient())).rejects.toThrow()
    expect(logins[0]?.signal.aborted).toBe(true)
    await expect(turns.run('ada', () => Promise.reject(new Error('refused')), patient())).rejects.toThrow('refused')
    expect(await turns.run('ada', async () => 'answered', patient())).toBe('answered')
  })

  it('of one person are sequential in all processes that share a store', async () => {
    const { logins, ask } = heldIssuer()
    const store = memoryKeyValue()
    const [here, there] = [new LoginSerializer(store), new LoginSerializer(store)]
    const first = here.run('Ada@example.org', ask, patient())
    await expect.poll(() => logins.length).toBe(1)
    const second = there.run('ada@example.org', ask, patient())
    const timedOut = expect(there.run('ada@example.org', ask, AbortSignal.timeout(150))).rejects.toThrow('timeout')
    expect(await there.run('bob@example.org', async () => 'of bob', patient())).toBe('of bob')
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
    new LoginSerializer(store).run('ada', ask, patient()).catch(() => undefined)
    await expect.poll(() => logins.length).toBe(1)
    const there = new LoginSerializer(store, 50)
    await expect(there.run('ada', async () => 'too early', patient())).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    clock.ms = 60_000
    expect(await there.run('ada', async () => 'answered', patient())).toBe('answered')
  })

  it('proceed within each process while the store is unavailable', async () => {
    const { logins, ask } = heldIssuer()
    const unavailable = () => Promise.reject(new EngineUnavailable('key-value store'))
    const turns = new LoginSerializer({ ...memoryKeyValue(), setIfAbsent: unavailable, deleteIf: unavailable })
    const [first, second] = ['first', 'second'].map(() => turns.run('ada', ask, patient()))
    await expect.poll(() => logins.length).toBe(1)
    logins[0]?.answer('first')
    expect(await first).toBe('first')
    await expect.poll(() => logins.length).toBe(2)
    logins[1]?.answer('second')
    expect(await second).toBe('second')
  })
})
