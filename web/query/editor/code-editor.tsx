/** @jsxImportSource preact */
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { usePhrases } from './phrases.ts'

export interface CodeEditorProps {
  /** accessible name */
  readonly label: string
  /** id of the document; each document has its own undo history */
  readonly id: string
  readonly text: string
  /** must not change while the editor is mounted */
  readonly extension: Extension
  readonly onChange?: (text: string) => void
  /** called on mount with the view, and with undefined on unmount */
  readonly onView?: (view: EditorView | undefined) => void
}

/**
 * CodeMirror in a shadow root: the content security policy forbids the `<style>` it would add to the document; a shadow root adopts its
 * style sheet.
 */
export function CodeEditor({ label, id, text, extension, onChange, onView }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const shownId = useRef(id)
  const states = useRef(new Map<string, EditorState>())
  const phraseCompartment = useRef(new Compartment())
  const changeHandler = useRef(onChange)
  changeHandler.current = onChange
  const phrases = usePhrases()
  const phraseExtension: Extension = [EditorState.phrases.of(phrases), EditorView.contentAttributes.of({ 'aria-label': label })]

  const newState = (): EditorState =>
    EditorState.create({
      doc: text,
      extensions: [
        phraseCompartment.current.of(phraseExtension),
        extension,
        EditorView.updateListener.of((update) => {
          // ignores changes that the page made
          if (update.docChanged && !update.transactions.some((each) => each.isUserEvent('page')))
            changeHandler.current?.(update.state.doc.toString())
        }),
      ],
    })

  useLayoutEffect(() => {
    const host = place.current
    if (host === null) return
    const root = host.attachShadow({ mode: 'open' })
    const editor = new EditorView({ state: newState(), parent: root, root })
    view.current = editor
    onView?.(editor)
    return () => {
      editor.destroy()
      onView?.(undefined)
    }
  }, [])

  useLayoutEffect(() => {
    const editorView = view.current
    if (editorView === undefined) return
    if (shownId.current !== id) {
      states.current.set(shownId.current, editorView.state)
      editorView.setState(states.current.get(id) ?? newState())
      shownId.current = id
    }
    if (editorView.state.doc.toString() !== text)
      editorView.dispatch({ changes: { from: 0, to: editorView.state.doc.length, insert: text }, userEvent: 'page' })
  }, [id, text])

  useEffect(() => {
    view.current?.dispatch({ effects: phraseCompartment.current.reconfigure(phraseExtension) })
  }, [phrases, label, id])

  return <div class="editor" ref={place} dir="ltr" />
}
