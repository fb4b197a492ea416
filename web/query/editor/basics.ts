import { autocompletion, type Completion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers, tooltips } from '@codemirror/view'
import { look } from './look.ts'

const read: Extension = [
  // not every tool knows that what can be edited takes the focus
  EditorView.contentAttributes.of({ tabindex: '0' }),
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  bracketMatching(),
  search(),
  tooltips({ position: 'fixed' }),
  EditorView.lineWrapping,
  look,
]

/** Over a text with colours that is selected a browser writes with a style in the page, which the policy of the page forbids: so it is written here. */
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

/** Of names that fit equally well, those by which the schema is asked about itself are wanted least. */
const introspectionLast = (one: Completion, other: Completion): number =>
  Number(one.label.startsWith('__')) - Number(other.label.startsWith('__')) || one.label.localeCompare(other.label)

/** What every editor in which somebody writes can do. Tab is not among its keys: it leads on. */
export const writable: Extension = [
  read,
  typedOver,
  history(),
  indentOnInput(),
  closeBrackets(),
  // as many as are seen without scrolling, which a keyboard could not do there: arrows bring the others
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

/** What can be read, selected, searched and folded, and brings up no keyboard on a phone. */
export const readable: Extension = [
  read,
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ 'aria-readonly': 'true', inputmode: 'none' }),
  keymap.of([...defaultKeymap, ...searchKeymap, ...foldKeymap]),
]
