import { expect, it } from 'vitest'
import { Backlog } from '../../../../foundation/http/backlog.ts'

/** Returns a client of a backlog with a number of unsent bytes. */
function client(backlog: Backlog, bytes: number, listener?: number) {
  const state = { bytes, cuts: 0 }
  const entry = backlog.client(
    () => state.bytes,
    () => {
      state.cuts += 1
    },
    listener,
  )
  return {
    state,
    end: entry.end,
    grow(by: number) {
      state.bytes += by
      entry.note()
    },
  }
}

it('cuts the clients with the most unsent bytes until the total is within the limit', () => {
  const backlog = new Backlog(100)
  const [small, medium, large] = [client(backlog, 0), client(backlog, 0), client(backlog, 0)]
  small.grow(20)
  medium.grow(40)
  large.grow(40)
  expect([small.state.cuts, medium.state.cuts, large.state.cuts]).toEqual([0, 0, 0])
  large.grow(30)
  expect([small.state.cuts, medium.state.cuts, large.state.cuts]).toEqual([0, 0, 1])
  small.grow(70)
  expect([small.state.cuts, medium.state.cuts, large.state.cuts]).toEqual([1, 0, 1])
})

it('cuts clients of the listener with the most unsent bytes, not of another', () => {
  const backlog = new Backlog(100)
  const other = client(backlog, 0, 2)
  const flood = Array.from({ length: 10 }, () => client(backlog, 0, 1))
  other.grow(30)
  for (const each of flood) each.grow(10)
  expect(other.state.cuts).toBe(0)
  expect(flood.filter(({ state }) => state.cuts === 1)).toHaveLength(3)
  other.grow(40)
  expect([other.state.cuts, flood.filter(({ state }) => state.cuts === 1).length]).toEqual([1, 3])
})

it('cuts no client without unsent bytes, and does not count disconnected clients', () => {
  const backlog = new Backlog(100)
  const [idle, closed, other] = [client(backlog, 0), client(backlog, 0), client(backlog, 0)]
  idle.grow(60)
  idle.state.bytes = 0
  closed.grow(40)
  closed.end()
  other.grow(100)
  closed.grow(1000)
  expect([idle.state.cuts, closed.state.cuts, other.state.cuts]).toEqual([0, 0, 0])
})

it('cuts a client once, and does not count it afterwards', () => {
  const backlog = new Backlog(100)
  const [one, other] = [client(backlog, 0), client(backlog, 0)]
  one.grow(101)
  one.grow(500)
  other.grow(100)
  expect([one.state.cuts, other.state.cuts]).toEqual([1, 0])
})
