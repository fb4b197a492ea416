import { describe, expect, it } from 'vitest'
import { LoginTurns } from '../../../engines/identity/login-turns.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'

/** An issuer that answers a login when it is told to. */
function heldIssuer() {
  const asked: { readonly answer: (text: string) => void; readonly signal: AbortSignal }[] = []
  const ask = (signal: AbortSignal): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    signal.addEventListener('abort', () => reject(signal.reason))
    asked.push({ answer: resolve, signal })
    return promise
  }
  return { asked, ask }
}
const patient = (): AbortSignal => new AbortController().signal

describe('logins at an issuer that guards against guessing', () => {
  it('of one person come one after another, those of others beside them', async () => {
    const { asked, ask } = heldIssuer()
    const turns = new LoginTurns(undefined)
    const [first, second, other] = ['ada', 'ada', 'bob'].map((person) => turns.hold(person, ask, patient()))
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.answer('of bob')
    expect(await other).toBe('of bob')
    expect(asked).toHaveLength(2)
    asked[0]?.answer('first')
    expect(await first).toBe('first')
    await expect.poll(() => asked.length).toBe(3)
    asked[2]?.answer('second')
    expect(await second).toBe('second')
  })

  it('hold the turn until they are answered, also when nobody waits for that any more', async () => {
    const { asked, ask } = heldIssuer()
    const turns = new LoginTurns(undefined)
    const leaving = new AbortController()
    const first = turns.hold('ada', ask, leaving.signal)
    await expect.poll(() => asked.length).toBe(1)
    leaving.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    const second = turns.hold('ada', ask, patient())
    const impatient = AbortSignal.abort(new Error('gone, too'))
    await expect(turns.hold('ada', ask, impatient)).rejects.toThrow('gone, too')
    expect([asked.length, asked[0]?.signal.aborted]).toEqual([1, false])
    asked[0]?.answer('to nobody')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.answer('second')
    expect(await second).toBe('second')
  })

  it('give the turn on when the issuer never answers, or fails', async () => {
    const { asked, ask } = heldIssuer()
    const turns = new LoginTurns(undefined, 30)
    await expect(turns.hold('ada', ask, patient())).rejects.toThrow()
    expect(asked[0]?.signal.aborted).toBe(true)
    await expect(turns.hold('ada', () => Promise.reject(new Error('refused')), patient())).rejects.toThrow('refused')
    expect(await turns.hold('ada', async () => 'answered', patient())).toBe('answered')
  })

  it('of one person come one after another in all processes that share a store', async () => {
    const { asked, ask } = heldIssuer()
    const store = memoryKeyValue()
    const [here, there] = [new LoginTurns(store), new LoginTurns(store)]
    const first = here.hold('Ada@example.org', ask, patient())
    await expect.poll(() => asked.length).toBe(1)
    const second = there.hold('ada@example.org', ask, patient())
    const leaves = expect(there.hold('ada@example.org', ask, AbortSignal.timeout(150))).rejects.toThrow('timeout')
    expect(await there.hold('bob@example.org', async () => 'of bob', patient())).toBe('of bob')
    await leaves
    expect(asked).toHaveLength(1)
    asked[0]?.answer('first')
    expect(await first).toBe('first')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.answer('second')
    expect(await second).toBe('second')
  })

  it('come when the lease of a process that ended is over, and are refused before that', async () => {
    const { asked, ask } = heldIssuer()
    const clock = { ms: 0, now: () => clock.ms }
    const store = memoryKeyValue({ clock })
    // it ends with its process, and here a while after this test
    new LoginTurns(store).hold('ada', ask, patient()).catch(() => undefined)
    await expect.poll(() => asked.length).toBe(1)
    const there = new LoginTurns(store, 50)
    await expect(there.hold('ada', async () => 'too early', patient())).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    clock.ms = 60_000
    expect(await there.hold('ada', async () => 'answered', patient())).toBe('answered')
  })

  it('go on within each process while the store is away', async () => {
    const { asked, ask } = heldIssuer()
    const away = () => Promise.reject(new EngineUnavailable('key-value store'))
    const turns = new LoginTurns({ ...memoryKeyValue(), setIfAbsent: away, deleteIf: away })
    const [first, second] = ['first', 'second'].map(() => turns.hold('ada', ask, patient()))
    await expect.poll(() => asked.length).toBe(1)
    asked[0]?.answer('first')
    expect(await first).toBe('first')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.answer('second')
    expect(await second).toBe('second')
  })
})
