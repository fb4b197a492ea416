import { type Proposal, proposals, type Rate } from '../../subgraphs/verification/commands/propose-thresholds.ts'
import { type Command, CommandProblem, readWords, type WriteLine } from './command.ts'
import { withDatabase } from './database.ts'

/** minimum cases of either kind: with fewer, an observed rate of 0 may still be one in fifteen */
const minCases = 40
const defaultMinimum = 100

/** `evaluate thresholds`: proposes thresholds from reviewed cases. Changes nothing. @returns 1 with too few cases */
export const evaluate: Command = async (words, config, writeLine) => {
  const { values, positionals } = readWords(words, { least: { type: 'string', default: String(defaultMinimum) } })
  if (positionals.join(' ') !== 'thresholds') throw new CommandProblem(`Unknown command: evaluate ${positionals.join(' ')}`)
  const minimum = Number(values.least)
  if (!Number.isInteger(minimum) || minimum < minCases) throw new CommandProblem(`--least must be a number of ${minCases} or more`)
  const proposed = await withDatabase(config, (database) => proposals(database, config.verification.thresholds, minimum))
  if (proposed.length === 0)
    writeLine(`No reviewed cases with a face comparison: ${minimum} of one person and ${minimum} of two are needed`)
  for (const proposal of proposed) print(proposal, minimum, writeLine)
  return proposed.some(({ lines }) => lines !== undefined) ? 0 : 1
}

function print({ cases: { model, onePerson, twoPeople }, lines }: Proposal, minimum: number, writeLine: WriteLine): void {
  const by = model === undefined ? '' : `, compared by ${model}`
  const cases = `${onePerson.length} decided cases of one person and ${twoPeople.length} of two${by}`
  if (lines === undefined) return void writeLine(`${cases}: too few to propose anything, ${minimum} of each are needed`)
  writeLine(`${cases}; they include only cases that went to review, so easy ones are missing`)
  for (const { name, now, proposed, wrongNow, wrongProposed } of lines) {
    const wrong = name === 'faceSame' ? 'of two people accepted' : 'of one person rejected'
    writeLine(`${name.padEnd(9)}  now ${now}: ${rateText(wrongNow)} ${wrong}; proposed ${proposed}: ${rateText(wrongProposed)}`)
  }
  writeLine(`VERIFICATION_THRESHOLDS=${lines.map(({ name, proposed }) => `${name}=${proposed}`).join()}`)
}

const rateText = ({ count, of, atMost }: Rate): string => `${count} of ${of} (at most ${(100 * atMost).toFixed(1)} %)`
