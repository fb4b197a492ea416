import { expect, it } from 'vitest'
import { Backlog } from '../../../../foundation/http/backlog.ts'

/** A client for whom so many bytes wait. */
function client(backlog: Backlog, bytes: number) {
  const known = { bytes, cuts: 0 }
  const noted = backlog.client(
    () => known.bytes,
    () => {
      known.cuts += 1
    },
  )
  return {
    known,
    end: noted.end,
    grow(by: number) {
      known.bytes += by
      noted.note()
    },
  }
}

it('cuts those furthest behind, and no more of them than makes room', () => {
  const backlog = new Backlog(100)
  const [little, much, most] = [client(backlog, 0), client(backlog, 0), client(backlog, 0)]
  little.grow(20)
  much.grow(40)
  most.grow(40)
  expect([little.known.cuts, much.known.cuts, most.known.cuts]).toEqual([0, 0, 0])
  most.grow(30)
  expect([little.known.cuts, much.known.cuts, most.known.cuts]).toEqual([0, 0, 1])
  little.grow(70)
  expect([little.known.cuts, much.known.cuts, most.known.cuts]).toEqual([1, 0, 1])
})

it('cuts nobody for whom nothing waits any more, and counts none that is gone', () => {
  const backlog = new Backlog(100)
  const [read, gone, other] = [client(backlog, 0), client(backlog, 0), client(backlog, 0)]
  read.grow(60)
  read.known.bytes = 0
  gone.grow(40)
  gone.end()
  other.grow(100)
  gone.grow(1000)
  expect([read.known.cuts, gone.known.cuts, other.known.cuts]).toEqual([0, 0, 0])
})

it('cuts a client once, and counts it no more', () => {
  const backlog = new Backlog(100)
  const [one, other] = [client(backlog, 0), client(backlog, 0)]
  one.grow(101)
  one.grow(500)
  other.grow(100)
  expect([one.known.cuts, other.known.cuts]).toEqual([1, 0])
})
