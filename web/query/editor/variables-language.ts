import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { json, jsonLanguage, jsonParseLinter } from '@codemirror/lang-json'
import { syntaxTree } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import { type OperationDefinitionNode, parse, print } from 'graphql'
import { writable } from './basics.ts'

/** The editor for a JSON object, with syntax errors. @param run - bound to the same key as in the operation editor */
export const objectLanguage = (run: () => void): Extension => [
  keymap.of([
    {
      key: 'Mod-Enter',
      preventDefault: true,
      run: () => {
        run()
        return true
      },
    },
  ]),
  writable,
  json(),
  linter((view: EditorView) => (view.state.doc.toString().trim() === '' ? [] : readProblems(view))),
]

const readProblems = jsonParseLinter()

/** The same editor, with completion of variable names. */
export const variablesLanguage = (query: () => string, run: () => void): Extension => [
  objectLanguage(run),
  jsonLanguage.data.of({ autocomplete: (context: CompletionContext) => variablesFor(context, query()) }),
]

function variablesFor(context: CompletionContext, query: string): CompletionResult | null {
  const word = context.matchBefore(/"?\w*/)
  const node = syntaxTree(context.state).resolveInner(context.pos, -1)
  const object = [node, node.parent, node.parent?.parent].find((each) => each?.name === 'Object')
  const isName = ['Object', 'PropertyName', 'Property', '{', '⚠'].includes(node.name)
  if (word === null || object?.parent?.name !== 'JsonText' || !isName || (word.from === word.to && !context.explicit)) return null
  // a closing quotation mark that the editor inserted
  const to = context.state.sliceDoc(context.pos, context.pos + 1) === '"' ? context.pos + 1 : context.pos
  return {
    from: word.from,
    to,
    filter: false,
    options: variablesOf(query)
      .filter(({ label }) => label.includes(word.text.replace('"', '')))
      .map(({ label, detail }) => ({ label, detail, apply: `"${label}": ` })),
  }
}

function variablesOf(query: string): readonly { readonly label: string; readonly detail: string }[] {
  try {
    return parse(query)
      .definitions.filter((each): each is OperationDefinitionNode => each.kind === 'OperationDefinition')
      .flatMap(({ variableDefinitions = [] }) => variableDefinitions)
      .map(({ variable, type }) => ({ label: variable.name.value, detail: print(type) }))
  } catch {
    return []
  }
}
