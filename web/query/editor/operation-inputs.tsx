/** @jsxImportSource preact */
import { useMemo, useRef, useState } from 'preact/hooks'
import type { QueryDocument } from '../documents/documents.ts'
import { TabList, tabOf } from '../frame/tab-list.tsx'
import { useWords } from '../words/words.tsx'
import { CodeEditor } from './code-editor.tsx'
import { objectLanguage, variablesLanguage } from './variables-language.ts'

interface OperationInputsProps {
  readonly document: QueryDocument
  readonly headers: string
  readonly onVariables: (text: string) => void
  readonly onHeaders: (text: string) => void
  readonly onRun: () => void
}

const panel = 'beside'
const kinds = ['variables', 'headers'] as const

/** Editors for the variables of the operation and for the headers. */
export function OperationInputs(props: OperationInputsProps) {
  const { word } = useWords()
  const [shown, setShown] = useState<(typeof kinds)[number]>('variables')
  // current callbacks for key bindings, which are created once
  const now = useRef(props)
  now.current = props
  const languages = useMemo(() => {
    const run = (): void => now.current.onRun()
    return { variables: variablesLanguage(() => now.current.document.query, run), headers: objectLanguage(run) }
  }, [])
  const { document, headers, onVariables, onHeaders } = props
  return (
    <div class="beside">
      <TabList
        label={word('beside')}
        tabs={kinds.map((id) => ({ id, name: word(id) }))}
        chosen={shown}
        panel={panel}
        onChoose={(id) => setShown(kinds.find((each) => each === id) ?? shown)}
      />
      <div id={panel} role="tabpanel" aria-labelledby={tabOf(panel, shown)}>
        {shown === 'headers' && <p class="quiet">{word('headers.kept')}</p>}
        <CodeEditor
          key={shown}
          label={word(shown)}
          id={shown === 'variables' ? document.id : 'headers'}
          text={shown === 'variables' ? document.variables : headers}
          extension={languages[shown]}
          onChange={shown === 'variables' ? onVariables : onHeaders}
        />
      </div>
    </div>
  )
}
