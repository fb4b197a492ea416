import { autocompletion, type Completion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers, tooltips } from '@codemirror/view'
import { editorTheme } from './editor-theme.ts'

const read: Extension = [
  // some assistive tools do not recognise contenteditable as focusable
  EditorView.contentAttributes.of({ tabindex: '0' }),
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  bracketMatching(),
  search(),
  tooltips({ position: 'fixed' }),
  EditorView.lineWrapping,
  editorTheme,
]

/**
 * Handles typing over a selection: with coloured text the browser would insert inline styles, which the content security policy forbids.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection
    const { data, inputType } = event
    if (main.empty || inputType !== 'insertText' || data === null || view.composing) return false
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, main.from, main.to, data, insert))
    if (!isHandled) view.dispatch(insert())
    return true
  },
})

/** Sorts introspection fields after other completions that match equally. */
const introspectionLast = (one: Completion, other: Completion): number =>
  Number(one.label.startsWith('__')) - Number(other.label.startsWith('__')) || one.label.localeCompare(other.label)

/** Features of every editable editor. Tab moves the focus and is not bound. */
export const writable: Extension = [
  read,
  typedOver,
  history(),
  indentOnInput(),
  closeBrackets(),
  // the number visible without scrolling, which the keyboard cannot do there; arrow keys reach the others
  autocompletion({ maxRenderedOptions: 10, icons: false, compareCompletions: introspectionLast }),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...searchKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
]

/** Features of read-only editors: select, search and fold, without the on-screen keyboard. */
export const readable: Extension = [
  read,
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ 'aria-readonly': 'true', inputmode: 'none' }),
  keymap.of([...defaultKeymap, ...searchKeymap, ...foldKeymap]),
]
