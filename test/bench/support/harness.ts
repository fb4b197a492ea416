/** One measurement: the first variant is the one to compare with. */
export interface Variant {
  readonly name: string
  /** One run: figures by name, with the same names in every variant. */
  measure(): Promise<Readonly<Record<string, number>>>
  stop(): Promise<void>
}

export interface Benchmark {
  readonly name: string
  /** What is requested, and under which load. */
  readonly about: string
  /** The figures to reach. */
  readonly target: string
  readonly rounds: number
  /** Each run warms up by itself and is too slow for an extra warm-up round. */
  readonly warmsUpItself?: boolean
  /** The first variant is the anchor of the ratios. */
  start(print: (line: string) => void): Promise<readonly Variant[]>
}

interface Figure {
  readonly median: number
  readonly min: number
  readonly max: number
}

/**
 * Runs the variants in turn, round by round, and starts each round with another variant, so that other load on the machine affects
 * all of them; the first round only warms up, unless each run does. Prints each run when it ends, since some take minutes; then medians,
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
      // the anchor may lack some figures
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
