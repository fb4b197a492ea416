/** One thing that is measured: what it is compared with comes first in the list of variants. */
export interface Variant {
  readonly name: string
  /** One run; figures by name, the same names in every variant. */
  measure(): Promise<Readonly<Record<string, number>>>
  stop(): Promise<void>
}

export interface Benchmark {
  readonly name: string
  /** what is asked, under which load */
  readonly about: string
  /** what is to be reached */
  readonly target: string
  readonly rounds: number
  /** each run warms up for itself, and takes so long that a round more would double the wait */
  readonly warmsUpItself?: boolean
  /** the first variant is the anchor of the ratios */
  start(print: (line: string) => void): Promise<readonly Variant[]>
}

interface Figure {
  readonly median: number
  readonly min: number
  readonly max: number
}

/**
 * Runs the variants in turn, round by round and each round beginning with another one, so that what else happens on the machine meets
 * all of them; the first round only warms up, unless each run does. Prints each run as it ends, since some take minutes; then medians,
 * ranges, and the ratio of each median to the anchor's.
 * @returns the ratios by variant and figure
 */
export async function runBenchmark(benchmark: Benchmark, print: (line: string) => void): Promise<Record<string, Record<string, number>>> {
  print(`\n## ${benchmark.name}\n${benchmark.about}; ${benchmark.rounds} interleaved rounds\nwanted: ${benchmark.target}\n`)
  const variants = await benchmark.start(print)
  const samples = new Map(variants.map((variant) => [variant, [] as Readonly<Record<string, number>>[]]))
  try {
    for (let round = benchmark.warmsUpItself ? 1 : 0; round <= benchmark.rounds; round += 1) {
      const first = round % variants.length
      for (const variant of [...variants.slice(first), ...variants.slice(0, first)]) {
        const sample = await variant.measure()
        if (round > 0) samples.get(variant)?.push(sample)
        print(`${round === 0 ? 'warmed up' : `round ${round}`}, ${variant.name}: ${figuresIn(sample)}`)
      }
    }
  } finally {
    await Promise.all(variants.map((variant) => variant.stop()))
  }
  const table = variants.map((variant) => ({ name: variant.name, figures: figuresOf(samples.get(variant) ?? []) }))
  const [anchor] = table
  const ratios: Record<string, Record<string, number>> = {}
  for (const { name, figures } of table) {
    print(name)
    ratios[name] = {}
    for (const [figure, { median, min, max }] of Object.entries(figures)) {
      const ratio = median / (anchor?.figures[figure]?.median ?? Number.NaN)
      ratios[name][figure] = ratio
      // the anchor need not have every figure
      const compared = Number.isNaN(ratio) ? '' : `   x ${ratio.toFixed(2)}`
      print(`  ${figure.padEnd(20)} ${rounded(median).padStart(9)}   [${rounded(min)} … ${rounded(max)}]${compared}`)
    }
  }
  return ratios
}

function figuresOf(samples: readonly Readonly<Record<string, number>>[]): Record<string, Figure> {
  const names = Object.keys(samples[0] ?? {})
  return Object.fromEntries(
    names.map((name) => {
      const sorted = samples.map((sample) => sample[name] ?? Number.NaN).sort((a, b) => a - b)
      const middle = sorted.length / 2
      const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2
      return [name, { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }]
    }),
  )
}

const figuresIn = (sample: Readonly<Record<string, number>>): string =>
  Object.entries(sample)
    .map(([figure, value]) => `${figure} ${rounded(value)}`)
    .join(', ')

function rounded(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1)
}
