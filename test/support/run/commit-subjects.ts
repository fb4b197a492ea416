import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Checks commit subjects against Conventional Commits 1.0.0.
 *
 * usage: commit-subjects.ts --message FILE   the message that Git is about to commit
 *        commit-subjects.ts                  every commit since the convention began
 * @see https://www.conventionalcommits.org/en/v1.0.0/
 */
const lastFreeForm = 'afda0e8a9e7675dda0025d6a7b5a252f948b288b'
const maxLength = 72
const types = ['feat', 'fix', 'refactor', 'perf', 'docs', 'test', 'build', 'ci', 'chore', 'style', 'revert']
const subjectForm = new RegExp(`^(?:${types.join('|')})(?:\\([a-z0-9/-]+\\))?!?: \\S`)

function problemOf(subject: string): string | undefined {
  if (/^(?:Merge |fixup! |squash! )/.test(subject)) return undefined
  if (!subjectForm.test(subject))
    return `does not start with a type and a colon, as in "fix(gateway): limit query text" (types: ${types.join(', ')})`
  if (subject.length > maxLength) return `has ${subject.length} characters, at most ${maxLength} are allowed: move the reason to the body`
  return undefined
}

/** Subjects of the commits since the convention began; of the last one only in a shallow clone. */
function newSubjects(): readonly string[] {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const range = (): string[] => {
    try {
      git('merge-base', '--is-ancestor', lastFreeForm, 'HEAD')
      return [`${lastFreeForm}..HEAD`]
    } catch {
      return ['-1']
    }
  }
  try {
    return git('log', '--no-merges', '--format=%s', ...range())
      .split('\n')
      .filter((subject) => subject !== '')
  } catch {
    // an archive of the sources has no history
    return []
  }
}

const [, , option, file = ''] = process.argv
const subjects = option === '--message' ? [readFileSync(file, 'utf8').split('\n', 1)[0] ?? ''] : newSubjects()
const problems = subjects.flatMap((subject) => {
  const problem = problemOf(subject)
  return problem === undefined ? [] : [`"${subject}" ${problem}`]
})
for (const problem of problems) process.stderr.write(`commit subject ${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
