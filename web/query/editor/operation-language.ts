import { linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { type EditorView, hoverTooltip, keymap } from '@codemirror/view'
import { getSchema, graphql } from 'cm6-graphql'
import { GraphQLError, parse } from 'graphql'
import { type Subject, subjectAt } from '../schema/subject.ts'
import { writable } from './basics.ts'

export interface OperationKeys {
  readonly run: (view: EditorView) => void
  readonly format: () => void
  readonly show: (subject: Subject | undefined) => void
}

/** The editor for operations: colours, completion, validation against the schema, and hints on hover. */
export const operationLanguage = ({ run, format, show }: OperationKeys): Extension => [
  keymap.of([
    { key: 'Mod-Enter', preventDefault: true, run: done(run) },
    { key: 'Shift-Alt-f', preventDefault: true, run: done(format) },
    { key: 'F1', preventDefault: true, run: done((view) => show(subjectAt(view.state, view.state.selection.main.head))) },
  ]),
  writable,
  graphql(undefined, { showErrorOnInvalidSchema: false }),
  // without a schema the schema linter does not report syntax errors
  linter(({ state }) => (getSchema(state) || state.doc.toString().trim() === '' ? [] : syntaxProblems(state.doc.toString()))),
  hoverTooltip(({ state }, position) => {
    const subject = subjectAt(state, position)
    if (subject === undefined) return null
    const word = state.wordAt(position)
    return { pos: word?.from ?? position, end: word?.to ?? position, above: true, create: () => ({ dom: sentencesOf(subject) }) }
  }),
]

const done =
  (act: (view: EditorView) => void) =>
  (view: EditorView): boolean => {
    act(view)
    return true
  }

/** @returns text only, whatever the description contains */
function sentencesOf({ signature, description }: Subject): HTMLElement {
  const dom = document.createElement('div')
  const code = document.createElement('code')
  code.textContent = signature
  dom.append(code)
  if (description !== undefined) dom.append(document.createElement('br'), description)
  return dom
}

function syntaxProblems(text: string) {
  try {
    parse(text)
    return []
  } catch (error) {
    const from = error instanceof GraphQLError ? (error.positions?.[0] ?? 0) : 0
    return [
      { from: Math.min(from, text.length - 1), to: Math.min(from + 1, text.length), severity: 'error' as const, message: String(error) },
    ]
  }
}
