import { type Countable, cellsOf, millionths } from './cell-changes.ts'
import { unpack, unpackCounts } from './packed-counts.ts'

/**
 * An order-independent checksum of the cells of a zoom: the sum of count times a weight of the counted object, modulo 2^32. It can be
 * computed from cells or from single expressions, without storing either.
 */
export class CellFingerprints {
  readonly byZoom = new Map<number, number>()

  addExpression(counted: Countable): void {
    const { key, lat, lon, agree, disagree, pass, unverifiedAgree, unverifiedDisagree, unverifiedPass } = counted
    for (const { zoom, bucket, y, x } of cellsOf(counted)) {
      const cell = hashOf(zoom, bucket, y, x)
      let sum = countOf(cell, key, 1) + votesOf(cell, key, agree, disagree, pass)
      sum += votesOf(cell ^ unverified, key, unverifiedAgree, unverifiedDisagree, unverifiedPass)
      if (lat !== null && lon !== null) sum += times(cell ^ 5, millionths(lon)) + times(cell ^ 6, millionths(lat))
      this.#add(zoom, sum)
    }
  }

  addCell(cellRow: {
    readonly zoom: number
    readonly bucket: number
    readonly y: number
    readonly x: number
    readonly counts: string
    readonly votes: string | null
    readonly unverifiedVotes: string | null
    readonly lon: number
    readonly lat: number
  }): void {
    const { zoom, bucket, y, x, counts, votes, unverifiedVotes, lon, lat } = cellRow
    const cell = hashOf(zoom, bucket, y, x)
    let sum = times(cell ^ 5, lon) + times(cell ^ 6, lat)
    unpackCounts(counts, (key, count) => {
      sum = (sum + countOf(cell, key, count)) | 0
    })
    unpack(votes ?? '', 4, ([key = 0, agree = 0, disagree = 0, pass = 0]) => {
      sum = (sum + votesOf(cell, key, agree, disagree, pass)) | 0
    })
    unpack(unverifiedVotes ?? '', 4, ([key = 0, agree = 0, disagree = 0, pass = 0]) => {
      sum = (sum + votesOf(cell ^ unverified, key, agree, disagree, pass)) | 0
    })
    this.#add(zoom, sum)
  }

  #add(zoom: number, sum: number): void {
    this.byZoom.set(zoom, ((this.byZoom.get(zoom) ?? 0) + sum) | 0)
  }
}

/** distinguishes the weights of unverified votes */
const unverified = 0x2545f491

const countOf = (cell: number, key: number, count: number): number => times(mixed(cell + 31 * key), count)
const votesOf = (cell: number, key: number, agree: number, disagree: number, pass: number): number =>
  (times(mixed(cell + 31 * key + 7), agree) + times(mixed(cell + 31 * key + 11), disagree) + times(mixed(cell + 31 * key + 13), pass)) | 0

/** product modulo 2^32, also for integers of up to 53 bits */
const times = (weight: number, count: number): number => Math.imul(mixed(weight), (count % 2 ** 32) | 0)

function hashOf(...numbers: readonly number[]): number {
  let hash = 0x811c9dc5
  for (const number of numbers) hash = mixed(Math.imul(hash, 0x01000193) ^ number)
  return hash
}

/** The finaliser of MurmurHash3 (Appleby, 2011): every output bit depends on every input bit. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
