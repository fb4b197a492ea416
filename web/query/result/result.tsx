/** @jsxImportSource preact */
import { json } from '@codemirror/lang-json'
import type { Extension } from '@codemirror/state'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { saveFile } from '../../shared/frame/page-document.ts'
import { readable } from '../editor/basics.ts'
import { CodeEditor } from '../editor/code-editor.tsx'
import type { Run } from '../running/runs.ts'
import { useWords } from '../words/words.tsx'

const extension: Extension = [readable, json()]

/** characters: the browser takes long to lay out more */
const maxShown = 500_000

/** The result of an operation: the response or events as text, with duration, size and errors. */
export function Result({ run, name }: { readonly run: Run | undefined; readonly name: string }) {
  const words = useWords()
  const { word } = words
  const [chosen, setChosen] = useState<number>()
  const { arrived = [], count = 0 } = run ?? {}
  const first = count - arrived.length
  // the selected event while it is kept, or the newest
  const index = chosen === undefined ? count - 1 : Math.min(Math.max(chosen, first), count - 1)
  const shown = arrived[index - first]
  // a new run shows its newest event
  useEffect(() => {
    if (count === 0) setChosen(undefined)
  }, [count === 0])

  const whole = useMemo(
    () => (shown === undefined ? '' : typeof shown.value === 'string' ? shown.value : (JSON.stringify(shown.value, undefined, 2) ?? '')),
    [shown?.value],
  )
  const text = whole.length > maxShown ? whole.slice(0, whole.lastIndexOf('\n', maxShown) + 1 || maxShown) : whole
  const failed = errorsIn(shown?.value)
  const problem =
    run?.problem ??
    (typeof shown?.value === 'string' ? ({ key: 'problem.no-json', values: { status: String(shown.status) } } as const) : undefined)

  const facts = [
    run?.isRunning && word(run.kind === 'subscription' ? 'result.listening' : 'result.running'),
    run?.kind === 'subscription' && word('result.events', { count }),
    shown?.status !== undefined && `HTTP ${shown.status}`,
    shown !== undefined && word('result.after', { ms: Math.round(shown.afterMs) }),
    shown !== undefined && sizeOf(words, shown.bytes),
    failed > 0 && word('result.errors', { count: failed }),
  ].filter((each) => typeof each === 'string')
  return (
    <section class="result" aria-label={word('result')}>
      <div class="bar">
        <h2>{word('result')}</h2>
        <p role="status" class={failed > 0 ? 'facts-line bad' : 'facts-line'}>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        {run?.kind === 'subscription' && count > 1 && (
          <div class="row events">
            <button type="button" class="button plain small" onClick={() => setChosen(Math.max(index - 1, first))}>
              {word('result.earlier')}
            </button>
            <span class="quiet">
              {words.number(index + 1)} / {words.number(count)}
            </span>
            <button type="button" class="button plain small" onClick={() => setChosen(index + 1 >= count - 1 ? undefined : index + 1)}>
              {word('result.later')}
            </button>
            <button type="button" class="button plain small" onClick={() => setChosen(undefined)}>
              {word('result.newest')}
            </button>
          </div>
        )}
        {whole !== '' && (
          <button type="button" class="button plain small" onClick={() => saveFile(`${name}.json`, 'application/json', whole)}>
            {word('result.save')}
          </button>
        )}
      </div>
      {problem !== undefined && (
        <div role="alert" class="notice bad">
          <p dir="auto">{word(problem.key, problem.values)}</p>
        </div>
      )}
      {text.length < whole.length && (
        <div class="notice">
          <p>{word('result.cut', { size: sizeOf(words, whole.length) })}</p>
        </div>
      )}
      <CodeEditor label={word('result')} id="result" text={text} extension={extension} />
    </section>
  )
}

function errorsIn(value: unknown): number {
  const { errors }: { errors?: unknown } = typeof value === 'object' && value !== null ? value : {}
  return Array.isArray(errors) ? errors.length : 0
}

function sizeOf({ language }: { readonly language: string }, bytes: number): string {
  const [unit, length] = bytes >= 1e6 ? ['megabyte', 1e6] : bytes >= 1000 ? ['kilobyte', 1000] : ['byte', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit: String(unit), maximumFractionDigits: 1 }).format(bytes / Number(length))
}
