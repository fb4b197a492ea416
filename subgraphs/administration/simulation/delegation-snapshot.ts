import { StringDecoder } from 'node:string_decoder'

/** Runs in a worker thread, also directly from TypeScript: its imports must work with type stripping alone. */

/** Distinct texts, numbered in the order of their first appearance. */
export class Dictionary {
  readonly texts: string[] = []
  readonly #numbers = new Map<string, number>()

  /** Returns the number of a text; adds it if it is new. */
  add(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }

  numberOf(text: string): number | undefined {
    return this.#numbers.get(text)
  }
}

/** A list of numbers that grows: arrays of objects would take ten times the memory. */
class Column<Numbers extends Int32Array | Float64Array> {
  #values: Numbers
  #length = 0
  readonly #allocate: (length: number) => Numbers

  constructor(allocate: (length: number) => Numbers) {
    this.#allocate = allocate
    this.#values = allocate(1024)
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#allocate(2 * this.#length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  /** Returns the values; the column must not grow afterwards. */
  close(): Numbers {
    return this.#values.subarray(0, this.#length) as Numbers
  }
}

/** Delegations as columns; citizens, groups, domains and scopes are numbers of their dictionaries. */
export interface DelegationSnapshot {
  readonly citizens: Dictionary
  readonly groups: Dictionary
  readonly domains: Dictionary
  readonly scopes: Dictionary
  readonly ids: readonly string[]
  readonly delegators: Int32Array
  readonly delegates: Int32Array
  readonly groupOf: Int32Array
  /** -1: valid in all domains */
  readonly domainOf: Int32Array
  readonly scopeOf: Int32Array
  /** milliseconds since 1970 */
  readonly startsMs: Float64Array
  /** milliseconds since 1970; Infinity: without an end */
  readonly endsMs: Float64Array
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const unescaped = (field: string): string =>
  field.includes('\\') ? field.replaceAll(/\\(.)/gsu, (_, sign: string) => escapes[sign] ?? sign) : field

/**
 * Builds a snapshot from the output of COPY in text format, in chunks of any size. Columns: id, delegator, delegate, group, domain, scope, start and
 * end in milliseconds since 1970.
 */
export class SnapshotBuilder {
  readonly #decoder = new StringDecoder('utf8')
  readonly #citizens = new Dictionary()
  readonly #groups = new Dictionary()
  readonly #domains = new Dictionary()
  readonly #scopes = new Dictionary()
  readonly #ids: string[] = []
  readonly #delegators = new Column((length) => new Int32Array(length))
  readonly #delegates = new Column((length) => new Int32Array(length))
  readonly #groupOf = new Column((length) => new Int32Array(length))
  readonly #domainOf = new Column((length) => new Int32Array(length))
  readonly #scopeOf = new Column((length) => new Int32Array(length))
  readonly #startsMs = new Column((length) => new Float64Array(length))
  readonly #endsMs = new Column((length) => new Float64Array(length))
  #rest = ''

  /** number of complete delegations so far */
  get count(): number {
    return this.#ids.length
  }

  add(chunk: Uint8Array): void {
    const text = this.#rest + this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    const lines = text.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#addLine(line)
  }

  #addLine(line: string): void {
    const [id = '', delegator = '', delegate = '', group = '', domain = '', scope = '', starts, ends] = line.split('\t')
    this.#ids.push(unescaped(id))
    this.#delegators.push(this.#citizens.add(unescaped(delegator)))
    this.#delegates.push(this.#citizens.add(unescaped(delegate)))
    this.#groupOf.push(this.#groups.add(unescaped(group)))
    this.#domainOf.push(domain === String.raw`\N` ? -1 : this.#domains.add(unescaped(domain)))
    this.#scopeOf.push(this.#scopes.add(unescaped(scope)))
    this.#startsMs.push(Number(starts))
    this.#endsMs.push(ends === String.raw`\N` ? Number.POSITIVE_INFINITY : Number(ends))
  }

  build(): DelegationSnapshot {
    return {
      citizens: this.#citizens,
      groups: this.#groups,
      domains: this.#domains,
      scopes: this.#scopes,
      ids: this.#ids,
      delegators: this.#delegators.close(),
      delegates: this.#delegates.close(),
      groupOf: this.#groupOf.close(),
      domainOf: this.#domainOf.close(),
      scopeOf: this.#scopeOf.close(),
      startsMs: this.#startsMs.close(),
      endsMs: this.#endsMs.close(),
    }
  }
}
