import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check, type Diagnostics } from 'recheck'
import { parseSync, Visitor } from 'vite'
import { z } from 'zod'

/**
 * Part of `npm run check`: every regular expression of the sources runs in linear time. Literals are read
 * from the syntax tree. Expressions that a module composes while it loads are recorded by loading it; one that a function composes later needs
 * a comment, as does one that is slow only for unreachable input, or whose analysis takes minutes: `// linear: REASON`, on its line or above
 * it. Such expressions are not analysed.
 */
const root = process.cwd()
const exemption = /\/\/ linear: (\S.*)/
/**
 * On 20,000 characters an expression may take fifty million steps: a bounded repeat passes, a quadratic one does not. The time
 * limits only end an analysis that hangs: with recheck's own, the result depends on the load of the machine.
 */
const limits = {
  attackLimit: 50_000_000,
  maxAttackStringSize: 20_000,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 40,
  maxIteration: 5,
  crossoverSize: 10,
  mutationSize: 10,
  randomSeed: 1,
  attackTimeout: 60_000,
  timeout: 120_000,
} as const
/** Sources that were safe in an earlier run; analysed again when the limits or the file of this check change. */
const cacheFile = 'node_modules/.cache/linear-expressions.json'

interface Expression {
  readonly file: string
  readonly line: number
  /** undefined: only available at run time */
  readonly source: string | undefined
  readonly flags: string
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** The regular expression literals of a file, and the places where it composes expressions. */
function expressionsIn(file: string, text: string): { readonly literals: Expression[]; readonly composed: Expression[] } {
  const [literals, composed]: [Expression[], Expression[]] = [[], []]
  const compose = (node: { readonly callee: { readonly type: string; readonly name?: unknown }; readonly start: number }): void => {
    if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp')
      composed.push({ file, line: lineAt(text, node.start), source: undefined, flags: '' })
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) literals.push({ file, line: lineAt(text, node.start), source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: compose,
    CallExpression: compose,
  }).visit(parseSync(file, text).program)
  return { literals, composed }
}

/** Loads modules and returns the expressions that they compose, each with its innermost source position. */
async function expressionsOnLoad(files: readonly string[]): Promise<Expression[]> {
  const recorded: Expression[] = []
  const original = RegExp
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget): RegExp {
      const expression: RegExp = Reflect.construct(target, args, newTarget === globalThis.RegExp ? target : newTarget)
      const [, path = '', line = ''] = /file:\/\/(\S+?):(\d{1,6}):\d{1,6}/.exec((new Error().stack ?? '').split('\n')[2] ?? '') ?? []
      recorded.push({ file: relative(root, path), line: Number(line), source: expression.source, flags: expression.flags })
      return expression
    },
  })
  try {
    for (const file of files) await import(pathToFileURL(file).href)
  } finally {
    globalThis.RegExp = original
  }
  return recorded
}

const way = 'or write `// linear: REASON` above it when no input from outside can make it slow'
const composedLater = ({ file, line }: Expression): string =>
  `${file}:${line}: composed at run time, so that it cannot be analysed. Compose it when the module loads, ${way}.`

function complaintOf({ file, line, source, flags }: Expression, diagnostics: Diagnostics | undefined): string | undefined {
  if (diagnostics === undefined || diagnostics.status === 'safe') return undefined
  const shown = `${file}:${line}: /${source}/${flags}`
  if (diagnostics.status === 'unknown') return `${shown} could not be analysed (${diagnostics.error.kind}). Write it shorter, ${way}.`
  const { complexity, attack, hotspot } = diagnostics
  const spots = [...new Set(hotspot.map(({ start, end }) => source?.slice(start, end)))].join('  ')
  const degree = 'degree' in complexity ? ` of degree ${complexity.degree}` : ''
  return `${shown} is ${complexity.type}${degree}, for example on ${attack.pattern}. Bound its repeats or make neighbours exclude each other (${spots}), ${way}.`
}

const files = globSync('{platform,rest-adapters,gateway,subgraphs,engines,foundation,web,packages}/**/*.{ts,tsx,js,mjs}', {
  exclude: (path) => /(?:^|\/)(?:node_modules|dist|generated)(?:\/|$)/.test(path),
}).sort()
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const expressions = [...texts].map(([file, text]) => expressionsIn(file, text))
const composed = expressions.flatMap((each) => each.composed)
const loaded = await expressionsOnLoad(
  // code of pages does not load outside a browser
  files.filter((file) => !file.startsWith('web/') && composed.some((each) => each.file === file)),
)
const atRunTime = composed.filter(({ file, line }) => !loaded.some((each) => each.file === file && each.line === line))
const own = loaded.filter(({ file }) => texts.has(file))
const all = [...expressions.flatMap((each) => each.literals), ...own]

const script = createHash('sha256')
  .update(readFileSync(import.meta.filename))
  .digest('hex')
const cached = z
  .object({ script: z.literal(script), safe: z.array(z.string()) })
  .safeParse(existsSync(cacheFile) ? JSON.parse(readFileSync(cacheFile, 'utf8')) : {})
const safe = new Set(cached.data?.safe)
/** Flags that select positions, without an effect on the cost. */
const keyOf = ({ source, flags }: Expression): string => `/${source}/${flags.replace(/[dgy]/g, '')}`
const exemptions = new Map<string, string>()
for (const [file, text] of texts)
  for (const [index, line] of text.split('\n').entries()) {
    const reason = exemption.exec(line)?.[1]
    if (reason !== undefined) exemptions.set(`${file}:${index + 1}`, reason)
  }
const used = new Set<string>()
const isExempt = ({ file, line }: Expression): boolean => {
  const at = [`${file}:${line}`, `${file}:${line - 1}`].find((each) => exemptions.has(each))
  if (at !== undefined) used.add(at)
  return at !== undefined
}

const diagnoses = new Map<string, Diagnostics>()
for (const each of all) {
  const key = keyOf(each)
  if (isExempt(each) || safe.has(key) || diagnoses.has(key)) continue
  const diagnostics = await check(each.source ?? '', each.flags, limits)
  if (diagnostics.status === 'safe') safe.add(key)
  else diagnoses.set(key, diagnostics)
}
mkdirSync('node_modules/.cache', { recursive: true })
writeFileSync(cacheFile, JSON.stringify({ script, safe: [...safe].filter((key) => all.some((each) => keyOf(each) === key)) }))

const complaints = new Set<string>()
for (const each of [...all, ...atRunTime]) {
  const complaint = each.source === undefined ? composedLater(each) : complaintOf(each, diagnoses.get(keyOf(each)))
  if (complaint !== undefined && !isExempt(each)) complaints.add(complaint)
}
for (const at of exemptions.keys()) if (!used.has(at)) complaints.add(`${at}: no expression here needs \`// linear:\`. Remove the comment.`)
for (const complaint of complaints) process.stdout.write(`${complaint}\n`)
process.stdout.write(`${new Set(all.map(keyOf)).size} regular expressions, ${used.size} exempt\n`)
process.exitCode = complaints.size === 0 ? 0 : 1
