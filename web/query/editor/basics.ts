import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers, tooltips } from '@codemirror/view'
import { look } from './look.ts'

const read: Extension = [
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  bracketMatching(),
  search(),
  tooltips({ position: 'fixed' }),
  EditorView.lineWrapping,
  look,
]

/** What every editor in which somebody writes can do. Tab is not among its keys: it leads on. */
export const writable: Extension = [
  read,
  history(),
  indentOnInput(),
  closeBrackets(),
  autocompletion(),
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
]

/** What can be read, selected, searched and folded, and brings up no keyboard on a phone. */
export const readable: Extension = [
  read,
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ 'aria-readonly': 'true', inputmode: 'none' }),
  keymap.of([...defaultKeymap, ...searchKeymap, ...foldKeymap]),
]
