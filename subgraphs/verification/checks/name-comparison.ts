import type { DocumentFacts } from '../document/document-facts.ts'
import { comparableName, matchName, type NameMatch, type NameRule } from '../document/name-matching.ts'
import { isArabic, toLatin } from '../document/transliteration.ts'
import { closestName } from '../document/visual-zone.ts'
import { type Check, type CheckResult, checkOf } from './check.ts'
import type { Evidence } from './evidence.ts'
import { type Finding, rejecting, review } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'

interface NameSources {
  readonly machine: NameMatch | undefined
  readonly labelled: NameMatch | undefined
  /** anywhere in the visual zone */
  readonly anywhere: NameMatch
  readonly labelledSure: boolean
  /** spellings of Arabic names vary and letters differ by a dot: a mismatch goes to review and never rejects */
  readonly labelledInArabic: boolean
  /** the machine-readable zone has room for this name but does not contain it */
  readonly missing: boolean
}

/** undefined when one of the names has no letters */
const compared = (declared: string, document: string | undefined, rule: NameRule): NameMatch | undefined =>
  document === undefined || toLatin(declared) === '' || toLatin(document) === '' ? undefined : matchName(declared, document, rule)

/** Compares the declared names with all names on the document. */
export function compareNames({ declared }: Evidence, { mrz, visual, readable }: DocumentFacts, thresholds: Thresholds) {
  const part = (stated: string, which: 'surname' | 'givenNames', rule: 'surname' | 'given'): NameSources => {
    const name = comparableName(stated)
    const cut = mrz?.content.cut[which] ?? false
    const label = visual[which]
    return {
      machine: compared(name, mrz?.content[which], { part: rule, cut }),
      labelled: compared(name, label?.value, { part: rule }),
      anywhere: closestName(visual, name, { part: rule }),
      labelledSure: (label?.confidence ?? 0) >= thresholds.textSure,
      labelledInArabic: isArabic(label?.value ?? ''),
      missing: mrz?.content[which] === '' && !cut,
    }
  }
  let last = part(declared.lastName, 'surname', 'surname')
  let first = part(declared.firstName, 'givenNames', 'given')
  const straight = Math.min(own(last)?.similarity ?? 1, own(first)?.similarity ?? 1)
  const crossedLast = part(declared.firstName, 'surname', 'surname')
  const crossedFirst = part(declared.lastName, 'givenNames', 'given')
  // swapped given and family names still identify the same person
  const crossed =
    Math.min(own(crossedLast)?.similarity ?? 0, own(crossedFirst)?.similarity ?? 0) >= thresholds.nameSame && straight < thresholds.nameSame
  if (crossed) [last, first] = [crossedLast, crossedFirst]
  const judged = [judge(last, thresholds), judge(first, thresholds)] as const
  const similarities = [last, first].filter((_, at) => judged[at] !== 'unread').map((sources) => closest(sources).similarity)
  const order = crossed ? 'swapped' : undefined
  const check = (sources: NameSources, result: CheckResult): Check =>
    result === 'unidentified'
      ? checkOf(result)
      : checkOf(result, {
          similarity: closest(sources).similarity,
          agreement: closest(sources).how,
          order,
          machine_readable_zone: sources.machine?.similarity,
          printed_zone: printedMatch(sources)?.similarity,
        })
  const findings: Finding[] = []
  if (judged.includes('contradicted')) findings.push(rejecting('name_mismatch'))
  else if (judged.includes('doubtful')) findings.push(review('name_mismatch'))
  else if (judged.includes('unread')) findings.push(review('ocr_unreadable'))
  const resultOf = { same: 'clear', doubtful: 'consider', contradicted: 'consider', unread: 'unidentified' } as const
  return {
    last: check(last, resultOf[judged[0]]),
    first: check(first, resultOf[judged[1]]),
    findings,
    similarity: readable && similarities.length > 0 ? Math.min(...similarities) : undefined,
  }
}

/** Returns the match in a field for this name. */
const own = ({ machine, labelled }: NameSources): NameMatch | undefined =>
  machine === undefined || (labelled?.similarity ?? 0) > machine.similarity ? labelled : machine
const printedMatch = ({ labelled, anywhere }: NameSources): NameMatch | undefined =>
  (labelled?.similarity ?? 0) >= anywhere.similarity ? labelled : anywhere.similarity > 0 ? anywhere : undefined
const closest = (sources: NameSources): NameMatch => {
  const [inField, inPrint] = [own(sources), printedMatch(sources)]
  return (inField?.similarity ?? 0) >= (inPrint?.similarity ?? 0) ? (inField ?? sources.anywhere) : (inPrint ?? sources.anywhere)
}

/**
 * Combines machine-readable zone and printed name: one match is sufficient when the other is misread, but a clear difference in either
 * contradicts.
 * Text elsewhere may be a place or another name and does not outweigh a certain label.
 */
function judge(sources: NameSources, { nameSame, nameOther }: Thresholds): 'same' | 'doubtful' | 'contradicted' | 'unread' {
  const { machine, labelled, anywhere, labelledSure, labelledInArabic, missing } = sources
  const machineOther = machine !== undefined && machine.similarity < nameOther
  const labelOther = labelled !== undefined && labelled.similarity < nameOther && labelledSure
  const printedOther = labelOther && anywhere.similarity < nameSame && !labelledInArabic
  if (closest(sources).similarity >= nameSame) {
    if (machineOther && labelled !== undefined) return 'contradicted'
    if (machineOther) return 'doubtful'
    if (printedOther) return 'contradicted'
    return missing || (labelOther && machine === undefined) ? 'doubtful' : 'same'
  }
  if (machine === undefined && labelled === undefined) return anywhere.similarity >= nameOther ? 'doubtful' : 'unread'
  if (machineOther || printedOther) return closest(sources).similarity < nameOther ? 'contradicted' : 'doubtful'
  return closest(sources).similarity < nameOther && machine === undefined && !labelOther ? 'unread' : 'doubtful'
}
