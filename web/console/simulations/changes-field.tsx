import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { saveFile } from '../../shared/frame/page-document.ts'
import { countChanges, type ScenarioTexts } from './scenario-texts.ts'
import { useSimulationWords } from './simulation-words/words.ts'

type ChangesFile = Pick<ScenarioTexts, 'file' | 'fileName'>

interface ChangesFieldProps extends ChangesFile {
  /** a line for each problem */
  readonly problem: string | undefined
  readonly onChange: (chosen: ChangesFile) => void
}

/** as the platform limits them */
const maxCharacters = 8 * 1024 * 1024
const none: ChangesFile = { file: '', fileName: '' }
const example = [
  'change,code,delegate',
  'add,CIT-1,CIT-2',
  'remove_delegator,CIT-3,',
  'remove_delegate,CIT-4,',
  'remove_id,demonstration-060,',
  'direct_voter,CIT-5,',
].join('\r\n')

/** Chooses a file of changes for a simulation. */
export function ChangesField({ file, fileName, problem, onChange }: ChangesFieldProps) {
  const { word } = useSimulationWords()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [unreadable, setUnreadable] = useState<'file-not-text' | 'file-large'>()
  const count = useMemo(() => countChanges(file), [file])
  useEffect(() => {
    if (fileName === '' && input.current !== null) input.current.value = ''
  }, [fileName])

  const choose = async (chosen: File): Promise<void> => {
    setUnreadable(undefined)
    const read = await readChanges(chosen)
    if (typeof read !== 'string') return onChange(read)
    setUnreadable(read)
    onChange(none)
  }
  const problems = unreadable === undefined ? (problem?.split('\n') ?? []) : [word(`simulation.${unreadable}`)]
  return (
    <div className="field whole">
      <label htmlFor={id}>{word('simulation.file')}</label>
      <input
        id={id}
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-describedby={`${id}-problems ${id}-help`}
        aria-invalid={problems.length > 0}
        onClick={({ currentTarget }) => {
          // the same file can be chosen again after a correction
          currentTarget.value = ''
        }}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0]
          if (chosen !== undefined) void choose(chosen)
        }}
      />
      <p id={`${id}-help`} className="quiet">
        {word('simulation.file-help')}
      </p>
      <div className="row">
        <Button onPress={() => saveFile('changes.csv', 'text/csv', `${example}\r\n`)}>{word('simulation.file-example')}</Button>
        {fileName !== '' && (
          <Button
            onPress={() => {
              onChange(none)
              // the pressed button has been removed
              input.current?.focus()
            }}
          >
            {word('simulation.file-remove')}
          </Button>
        )}
        <span role="status">
          {fileName !== '' && (
            <>
              <bdi>{fileName}</bdi> ({word('simulation.file-changes', { count })})
            </>
          )}
        </span>
      </div>
      <div id={`${id}-problems`} className="bad" role={unreadable === undefined ? undefined : 'alert'}>
        {problems.map((each) => (
          <p key={each}>{each}</p>
        ))}
      </div>
    </div>
  )
}

/** Reads a file in UTF-8, or returns why it cannot be used. */
async function readChanges(chosen: File): Promise<ChangesFile | 'file-not-text' | 'file-large'> {
  // a character has at most three bytes for each unit of its length
  if (chosen.size > 3 * maxCharacters) return 'file-large'
  try {
    const file = new TextDecoder('utf-8', { fatal: true }).decode(await chosen.arrayBuffer())
    return file.length > maxCharacters ? 'file-large' : { file, fileName: chosen.name }
  } catch {
    return 'file-not-text'
  }
}
