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
  const shown = useRef(id)
  const states = useRef(new Map<string, EditorState>())
  const spoken = useRef(new Compartment())
  const changeHandler = useRef(onChange)
  changeHandler.current = onChange
  const phrases = usePhrases()
  const speech: Extension = [EditorState.phrases.of(phrases), EditorView.contentAttributes.of({ 'aria-label': label })]

  const begin = (): EditorState =>
    EditorState.create({
      doc: text,
      extensions: [
        spoken.current.of(speech),
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
    const made = new EditorView({ state: begin(), parent: root, root })
    view.current = made
    onView?.(made)
    return () => {
      made.destroy()
      onView?.(undefined)
    }
  }, [])

  useLayoutEffect(() => {
    const now = view.current
    if (now === undefined) return
    if (shown.current !== id) {
      states.current.set(shown.current, now.state)
      now.setState(states.current.get(id) ?? begin())
      shown.current = id
    }
    if (now.state.doc.toString() !== text) now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: text }, userEvent: 'page' })
  }, [id, text])

  useEffect(() => {
    view.current?.dispatch({ effects: spoken.current.reconfigure(speech) })
  }, [phrases, label, id])

  return <div class="editor" ref={place} dir="ltr" />
}
