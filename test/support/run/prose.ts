import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Part of `npm run check`: finds words that a reader of the field would not expect, in code, comments, descriptions, UI strings and documents.
 * The list is a floor: text without a finding can still be unclear.
 *
 * A justified use carries `prose: <word>: <reason>` in a comment on its line or on the line above.
 */
interface Rule {
  readonly word: string
  readonly pattern: RegExp
  readonly reason: string
  readonly replacement: string
}

const rule = (word: string, pattern: string, reason: string, replacement: string): Rule => ({
  word,
  pattern: new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, 'gi'),
  reason,
  replacement,
})
const actor = 'names no actor'
const spoken = 'a program does not speak'
const rules: readonly Rule[] = [
  rule('somebody', 'somebody|somebody else', actor, 'the caller, the client, the operator, another caller'),
  rule('nobody', 'nobody', actor, 'no caller, no client, no worker'),
  rule('anybody', 'anybody', actor, 'any caller, any client'),
  rule('everybody', 'everybody', actor, 'all callers, all clients'),
  rule('whoever', 'whoever', actor, 'the caller that, the client that'),
  rule('those who', 'those who', actor, 'the clients that, the callers that'),
  rule('told', 'told|telling', spoken, 'reported, notified, emitted, printed'),
  rule('begins anew', 'anew', 'is archaic', 'again, from the start'),
  rule('mend', 'mend|mends|mended|mending', 'is not the term of the field', 'repair, correct, fix'),
  rule('is none', '(?:is|are|was|were) none', 'names no state', 'is missing, is unset, is invalid, there is no'),
  rule('is away', '(?:is|are|was|were) away', 'names no state', 'is unavailable, is offline'),
  rule('is gone', '(?:is|are) gone', 'names no state', 'was deleted, was removed, has ended'),
  rule('so many', 'so many', 'names no quantity', 'count, limit, maxItems'),
  rule('so much', 'so much', 'names no quantity', 'size, limit, maxBytes'),
  rule('taken in', '(?:take|takes|took|taken|taking) in', 'is not the term of the field', 'accept, store, ingest'),
  rule('let in', '(?:let|lets|letting) in', 'is not the term of the field', 'admit'),
  rule('made ready', '(?:make|makes|made|making) ready', 'is not the term of the field', 'prepare'),
  rule('what came of', 'what (?:came|comes|has come|had come|became|becomes) of', 'names no result', 'the result, the outcome'),
  rule('goes by', '(?:goes|went|go) by', 'is ambiguous', 'is decided by, uses'),
  rule('latecomer', 'latecomers?', 'is not the term of the field', 'resuming client'),
  rule('given up', '(?:gives|gave|given|giving) up', 'is ambiguous', 'cancelled, aborted, abandoned'),
  rule('a day of', 'a day of', 'is ambiguous', 'a date in, a day in'),
  rule('has it that', '(?:has|have|had) it that', 'is archaic', 'states that'),
  rule('the most that', 'the (?:most|least) that', 'names no quantity', 'the maximum, the minimum'),
  rule('at the most', 'at the (?:most|least)', 'names no quantity', 'at most, at least'),
  rule('for good', 'for good', 'is ambiguous', 'permanently'),
  rule('now and then', 'now and then', 'names no frequency', 'every 5 s, from time to time'),
  rule(
    'stands for',
    '(?:stand|stands|stood) (?:in|at|on|above|below|beside|there|here)',
    'is not the verb of the field',
    'is, appears, is listed',
  ),
  rule('is said', '(?:is|are|was|were|be) said', spoken, 'is stated, is documented, is reported'),
  rule('is asked', '(?:is|are|was|were|be) asked', spoken, 'is queried, is requested, is called'),
  rule('hears', 'hears|heard', spoken, 'receives, is notified of'),
]

/** Released contracts, data, generated code and the demonstration's expressions are not prose of the project. */
const excluded =
  /(?:^|\/)generated\/|^schema\/released\/|^package-lock\.json$|^test\/support\/run\/prose\.ts$|^THIRD-PARTY-NOTICES\.md$|^LICENSE$|^demonstration\/expressions\/|\/data\/|^test\/support\/samples\//
const covered = /\.(?:tsx?|md|graphql|html|css|ya?ml|sh)$|^schema\/rest\/.*\.json$|^package\.json$/

interface Finding {
  readonly file: string
  readonly line: number
  readonly word: string
  readonly rule: Rule
}

const exceptionForm = /prose: ([a-z ]+): \S/

function findingsIn(file: string): readonly Finding[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((text, at) =>
    rules.flatMap((each) => {
      const excused = [lines[at - 1], text].some((line) => exceptionForm.exec(line ?? '')?.[1] === each.word)
      if (excused || exceptionForm.test(text)) return []
      return [...text.matchAll(each.pattern)].map(([word]) => ({ file, line: at + 1, word, rule: each }))
    }),
  )
}

function unusedEscapes(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((text, at) => {
    const word = exceptionForm.exec(text)?.[1]
    if (word === undefined) return []
    const excused = rules.find((each) => each.word === word)
    const isUsed =
      excused !== undefined && [text.replace(exceptionForm, ''), lines[at + 1] ?? ''].some((line) => line.search(excused.pattern) >= 0)
    return isUsed ? [] : [`${file}:${at + 1}: the escape for "${word}" excuses nothing: remove it`]
  })
}

/** Git pathspecs that limit the run. */
const scope = process.argv.slice(2)
const files = execFileSync('git', ['ls-files', '--', ...scope], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => covered.test(file) && !excluded.test(file))
const findings = files.flatMap(findingsIn)
for (const { file, line, word, rule } of findings)
  process.stdout.write(`${file}:${line}: "${word}" ${rule.reason}; write: ${rule.replacement}\n`)
const unused = files.flatMap(unusedEscapes)
for (const sentence of unused) process.stdout.write(`${sentence}\n`)
process.stdout.write(`prose: ${findings.length} findings in ${new Set(findings.map(({ file }) => file)).size} of ${files.length} files\n`)
process.exitCode = findings.length + unused.length === 0 ? 0 : 1
