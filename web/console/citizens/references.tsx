import type { EraseCitizenMutationVariables } from '@civigraph/client/documents'
import { Field } from '../../components/field.tsx'
import { useErasureWords } from './erasure-words/words.ts'

export type CitizenInput = EraseCitizenMutationVariables['input']

/** References as typed: a line for each. */
export interface TypedReferences {
  readonly authors: string
  readonly voters: string
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Splits "name of the service key", a space, "reference"; undefined without both. */
function voterIn(line: string): { readonly service: string; readonly voterRef: string } | undefined {
  const space = line.indexOf(' ')
  const [service, voterRef] = [line.slice(0, Math.max(0, space)), line.slice(space + 1).trim()]
  return space < 1 || voterRef === '' ? undefined : { service, voterRef }
}

export const hasBadVoters = ({ voters }: TypedReferences): boolean => linesOf(voters).some((line) => voterIn(line) === undefined)

/** Returns the input of an erasure or export. Lines without a voter are left out; the form marks them. */
export function inputOf(code: string, { authors, voters }: TypedReferences): CitizenInput {
  return {
    code,
    authorRefs: [...linesOf(authors)],
    voters: linesOf(voters).flatMap((line) => voterIn(line) ?? []),
  }
}

/** Fields for the references under which services sent expressions and votes of a citizen. */
export function References({ value, onChange }: { value: TypedReferences; onChange: (value: TypedReferences) => void }) {
  const { word } = useErasureWords()
  return (
    <details>
      <summary>{word('erasure.refs')}</summary>
      <p>{word('erasure.refs-help')}</p>
      <div className="column">
        <Field label={word('erasure.author-refs')} isLong value={value.authors} onChange={(authors) => onChange({ ...value, authors })} />
        <Field
          label={word('erasure.voter-refs')}
          isLong
          value={value.voters}
          onChange={(voters) => onChange({ ...value, voters })}
          problem={hasBadVoters(value) ? word('erasure.bad-voters') : undefined}
        />
      </div>
    </details>
  )
}
