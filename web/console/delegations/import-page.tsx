import { type DelegationFileFormat, ImportDelegationsDocument, type ImportDelegationsMutation } from '@civigraph/client/documents'
import { useId, useMemo, useRef, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { column, DataTable } from '../../components/data-table.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { dictionary } from '../../shared/words/language.tsx'
import { useWords } from '../words/words.ts'
import ar from './import-words/ar.json' with { type: 'json' }
import en from './import-words/en.json' with { type: 'json' }
import fr from './import-words/fr.json' with { type: 'json' }

/** A delegation file that the user chose. */
interface DelegationFile {
  readonly name: string
  readonly format: DelegationFileFormat
  readonly text: string
}

/** Reads a file as NDJSON or, by default, CSV, depending on its name. @throws {TypeError} when it is not UTF-8 */
async function readDelegationFile(file: File): Promise<DelegationFile> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  return { name: file.name, format: /\.(?:ndjson|jsonl)$/i.test(file.name) ? 'NDJSON' : 'CSV', text }
}

/** The words of the delegation import, loaded with that view alone. */
const useImportWords = dictionary({ fr, en, ar })

type Report = NonNullable<ImportDelegationsMutation['importDelegations']>
type Line = Report['lines'][number]

/** Imports delegations from a file: shows the result of each line first, then imports all lines or none. */
export function ImportPage() {
  const { word } = useWords()
  const { word: text } = useImportWords()
  const id = useId()
  const [{ error, fetching }, bring] = useMutation(ImportDelegationsDocument)
  const [file, setFile] = useState<DelegationFile>()
  const [report, setReport] = useState<Report>()
  const [problem, setProblem] = useState<Error>()
  const status = useRef<HTMLParagraphElement>(null)
  useTitle(word('import.title'))

  const send = async ({ text, format }: DelegationFile, dryRun: boolean): Promise<void> => {
    const { data } = await bring({ input: { file: text, format, dryRun } })
    setReport(data?.importDelegations ?? undefined)
    // the pressed button has been removed
    if (data?.importDelegations?.kept === true) status.current?.focus()
  }
  const take = async (chosen: File): Promise<void> => {
    setReport(undefined)
    setFile(undefined)
    setProblem(undefined)
    try {
      const read = await readDelegationFile(chosen)
      setFile(read)
      await send(read, true)
    } catch {
      setProblem(new Error(text('import.not-text')))
    }
  }
  return (
    <>
      <p>
        <a href="#/delegations">{text('import.back')}</a>
      </p>
      <h1>{word('import.title')}</h1>
      <p className="lede">{text('import.lede')}</p>
      <div className="field">
        <label htmlFor={id}>{text('import.file')}</label>
        <input
          id={id}
          type="file"
          accept=".csv,.ndjson,.jsonl,text/csv"
          aria-describedby={`${id}-help`}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0]
            if (chosen !== undefined) void take(chosen)
          }}
        />
        <p id={`${id}-help`} className="quiet">
          {text('import.help')}
        </p>
      </div>
      <Problem error={problem ?? error} />
      <p role="status" ref={status} tabIndex={-1}>
        {fetching ? word('loading') : report !== undefined && <Summary report={report} />}
      </p>
      {file !== undefined && report !== undefined && (
        <>
          {!report.kept && report.refused === 0 && (
            <p>
              <Button look="main" isPending={fetching} onPress={() => void send(file, false)}>
                {text('import.do', { count: report.lines.length })}
              </Button>
            </p>
          )}
          <Lines file={file} report={report} />
        </>
      )}
    </>
  )
}

/** The result for the whole file, before or after the import. */
function Summary({ report }: { report: Report }) {
  const { word: text } = useImportWords()
  const { created, updated, unchanged, refused, kept } = report
  const counts = text(kept ? 'import.kept' : 'import.would', { created, updated, unchanged })
  return refused === 0 ? counts : text('import.refused', { count: refused })
}

function Lines({ file, report }: { file: DelegationFile; report: Report }) {
  const { word, named, number } = useWords()
  const { word: text } = useImportWords()
  const columns = useMemo(() => {
    const texts = file.text.split('\n')
    return [
      column<Line>('number', text('import.line'), (line) => number(line.number)),
      column<Line>('outcome', text('import.outcome'), ({ outcome }) => (
        <Badge kind={outcome === 'REFUSED' ? 'bad' : outcome === 'UNCHANGED' ? 'plain' : 'good'}>{named('line', outcome)}</Badge>
      )),
      column<Line>('problems', text('import.problems'), ({ entries }) =>
        entries.map(({ field, message }) => (
          <span key={`${field} ${message}`} className="why" dir="auto">
            {field === null ? message : `${field}: ${message}`}
          </span>
        )),
      ),
      column<Line>('text', text('import.text'), (line) => (
        <code className="unbroken" dir="ltr">
          {texts[line.number - 1]?.trim()}
        </code>
      )),
    ]
  }, [file, word, named, number])
  return (
    <DataTable
      caption={text('import.lines', { name: file.name })}
      columns={columns}
      rows={report.lines}
      keyOf={(line) => String(line.number)}
      total={report.lines.length}
      isLoading={false}
      empty={text('import.empty')}
    />
  )
}
