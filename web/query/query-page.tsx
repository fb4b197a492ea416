/** @jsxImportSource preact */

import type { EditorView } from '@codemirror/view'
import { updateSchema } from 'cm6-graphql'
import { render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { tabStorage } from '../shared/frame/browser-storage.ts'
import { elementAt, factsOf } from '../shared/frame/page-document.ts'
import { linkTo } from './documents/address.ts'
import { DocumentBar } from './documents/document-bar.tsx'
import { nameOf, type QueryDocument } from './documents/documents.ts'
import { storeRun } from './documents/past.ts'
import { PastRuns } from './documents/past-runs.tsx'
import { useDocuments } from './documents/use-documents.ts'
import { CodeEditor } from './editor/code-editor.tsx'
import { formatted, formattedJson } from './editor/formatted.ts'
import { OperationInputs } from './editor/operation-inputs.tsx'
import { operationLanguage } from './editor/operation-language.ts'
import { Examples } from './examples/examples.tsx'
import type { QueryFacts } from './facts.ts'
import { PageHeader } from './frame/page-header.tsx'
import { Splitter } from './frame/splitter.tsx'
import { tabOf } from './frame/tab-list.tsx'
import { Result } from './result/result.tsx'
import { prepared } from './running/prepared.ts'
import { Runs } from './running/runs.ts'
import { Docs } from './schema/docs.tsx'
import type { Place } from './schema/search-schema.ts'
import { useSchema } from './schema/use-schema.ts'
import { SignIn } from './sign-in/sign-in.tsx'
import { useCredentials } from './sign-in/use-credentials.ts'
import { UserStatus } from './sign-in/user-status.tsx'
import { LanguageProvider, useWords } from './words/words.tsx'

const { hasComponents } = factsOf<QueryFacts>()
/** stored for this tab only: headers contain keys and tokens */
const storedHeaders = tabStorage<{ readonly text: string }>('civigraph:headers')

/** The query editor: write and run operations, and read responses and the schema. */
export function QueryPage() {
  const { word } = useWords()
  const documents = useDocuments(welcome((hasComponents ? greeting : (['welcome.2'] as const)).map((key) => word(key))))
  const [headers, setHeaders] = useState(() => storedHeaders.read()?.text ?? '')
  const docs = useDocsPanel()
  const [shown, setShown] = useState<'past' | 'sign-in'>()
  const runs = useRuns()
  const editor = useRef<EditorView | undefined>(undefined)
  const credentials = useCredentials()
  const { seen } = documents
  // current values for key bindings, which are created once
  const now = useRef({ seen, headers })
  now.current = { seen, headers }
  const schema = useSchema(() => now.current.headers)
  const run = runs.of(seen.id)
  const name = nameOf(seen) ?? word('document.unnamed')

  usePageTitle()
  useEffect(() => {
    if (editor.current !== undefined) updateSchema(editor.current, schema.schema)
  }, [schema.schema, seen.id])

  const { message, start, format, copy, share } = useActions({ documents, runs, editor, now })
  const open = (written: Omit<QueryDocument, 'id'>): void => documents.add({ query: written.query, variables: written.variables })
  const close = (id: string): void => {
    runs.forget(id)
    documents.close(id)
  }
  const writeHeaders = (text: string): void => {
    setHeaders(text)
    storedHeaders.write({ text })
  }
  const language = useKeyBindings({ start, format, showDocs: (path) => docs.show(path, editor.current) })
  return (
    <>
      <PageHeader>
        {hasComponents && <Examples onOpen={open} />}
        {hasComponents && <UserStatus credentials={credentials} onSignIn={() => setShown('sign-in')} />}
      </PageHeader>
      <main id="content" class="query" tabIndex={-1}>
        <DocumentBar
          open={documents.open}
          seen={seen.id}
          panel="document"
          onShow={documents.show}
          onAdd={() => documents.add()}
          onClose={close}
        />
        <div
          class={docs.path === undefined ? 'panes' : 'panes with-docs'}
          id="document"
          role="tabpanel"
          aria-labelledby={tabOf('document', seen.id)}
        >
          <section class="writing" aria-label={word('operation')}>
            <Toolbar
              isRunning={run?.isRunning === true}
              message={message}
              docs={docs}
              onRun={start}
              onStop={() => runs.stop(seen.id)}
              onFormat={format}
              onCopy={copy}
              onShare={share}
              onPast={() => setShown('past')}
            />
            <CodeEditor
              label={word('operation')}
              id={seen.id}
              text={seen.query}
              extension={language}
              onChange={(query) => documents.write(now.current.seen.id, { query })}
              onView={(view) => {
                editor.current = view
              }}
            />
            <OperationInputs
              document={seen}
              headers={headers}
              onVariables={(variables) => documents.write(now.current.seen.id, { variables })}
              onHeaders={writeHeaders}
              onRun={start}
            />
          </section>
          <Splitter label={word('splitter')} />
          <Result key={seen.id} run={run} name={name} />
          {docs.path !== undefined && (
            <Docs
              schema={schema.schema}
              problem={schema.problem}
              path={docs.path}
              onPathChange={docs.setPath}
              onReload={schema.reload}
              onClose={docs.close}
            />
          )}
        </div>
      </main>
      {shown === 'past' && (
        <PastRuns
          onOpen={(past) => {
            setShown(undefined)
            open(past)
          }}
          onClose={() => setShown(undefined)}
        />
      )}
      {shown === 'sign-in' && (
        <SignIn
          onUse={(used) => {
            setShown(undefined)
            credentials.use(used)
          }}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}

/** The runs of all documents; their events render the page. */
function useRuns(): Runs {
  const [, redraw] = useState(0)
  const [runs] = useState(() => new Runs(oncePerFrame(() => redraw((times) => times + 1))))
  return runs
}

function usePageTitle(): void {
  const { word } = useWords()
  useEffect(() => {
    document.title = `${word('title')} · Civigraph`
  }, [word])
}

interface ActionsOptions {
  readonly documents: ReturnType<typeof useDocuments>
  readonly runs: Runs
  readonly editor: { readonly current: EditorView | undefined }
  readonly now: { readonly current: { readonly seen: QueryDocument; readonly headers: string } }
}

/** The actions on the visible document. `message`: result of the last one */
function useActions({ documents, runs, editor, now }: ActionsOptions) {
  const { word } = useWords()
  const { seen } = documents
  const [message, setMessage] = useState('')
  useEffect(() => setMessage(''), [seen.id, word])

  const start = (): void => {
    const { id, query, variables } = now.current.seen
    const operation = prepared({ query, variables, headers: now.current.headers, cursor: editor.current?.state.selection.main.head ?? 0 })
    if ('key' in operation) runs.refuse(id, operation)
    else {
      storeRun({ query, variables })
      void runs.start(id, operation)
    }
  }
  const format = (): void => {
    const { id, query, variables } = now.current.seen
    const text = formatted(query)
    setMessage(typeof text === 'string' ? word('said.formatted') : word(text.key, text.values))
    documents.write(id, { variables: formattedJson(variables), ...(typeof text === 'string' && { query: text }) })
  }
  const toClipboard = async (text: string, done: string, otherwise: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setMessage(done)
    } catch {
      setMessage(otherwise)
    }
  }
  const share = async (): Promise<void> => {
    const link = linkTo(seen)
    history.replaceState(null, '', link)
    await toClipboard(link, word('said.link-copied'), word('said.link'))
  }
  const copy = (): Promise<void> => toClipboard(seen.query, word('said.copied'), word('said.not-copied'))
  return { message, start, format, copy, share }
}

interface DocsPanel {
  /** the displayed place and those above it; undefined while the panel is closed */
  readonly path: readonly Place[] | undefined
  setPath(path: readonly Place[]): void
  /** @param from - takes the focus when the panel is closed */
  show(path: readonly Place[], from: { focus(): void } | null | undefined): void
  close(): void
}

/** The schema documentation beside the editor. */
function useDocsPanel(): DocsPanel {
  const [path, setPath] = useState<readonly Place[]>()
  const opener = useRef<{ focus(): void } | null | undefined>(undefined)
  return {
    path,
    setPath,
    show(shown, from) {
      opener.current = from
      setPath(shown)
    },
    close() {
      setPath(undefined)
      opener.current?.focus()
    },
  }
}

interface KeyActions {
  readonly start: () => void
  readonly format: () => void
  readonly showDocs: (path: readonly Place[]) => void
}

/** Binds Ctrl+Enter on the page. @returns the language of the editor with its own key bindings */
function useKeyBindings(actions: KeyActions) {
  // current callbacks for key bindings, which are created once
  const current = useRef(actions)
  current.current = actions
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat
      // the editor has handled its own keys by then
      if (!isRun || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      current.current.start()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return useMemo(
    () =>
      operationLanguage({
        run: () => current.current.start(),
        format: () => current.current.format(),
        show: (subject) =>
          current.current.showDocs(subject === undefined ? [] : [{ type: subject.type, ...(subject.field && { field: subject.field }) }]),
      }),
    [],
  )
}

interface ToolbarProps {
  readonly isRunning: boolean
  /** result of the last action */
  readonly message: string
  readonly docs: DocsPanel
  readonly onRun: () => void
  readonly onStop: () => void
  readonly onFormat: () => void
  readonly onCopy: () => void
  readonly onShare: () => void
  readonly onPast: () => void
}

/** The actions on the operation, and the result of the last one. */
function Toolbar({ isRunning, message, docs, onRun, onStop, onFormat, onCopy, onShare, onPast }: ToolbarProps) {
  const { word } = useWords()
  const docsButton = useRef<HTMLButtonElement>(null)
  const { path } = docs
  return (
    <div class="bar">
      {isRunning ? (
        <button type="button" class="button small" onClick={onStop}>
          {word('stop')}
        </button>
      ) : (
        <button type="button" class="button small" title="Ctrl+Enter" onClick={onRun}>
          {word('run')}
        </button>
      )}
      <button type="button" class="button plain small" title="Shift+Alt+F" onClick={onFormat}>
        {word('format')}
      </button>
      <button type="button" class="button plain small" onClick={onCopy}>
        {word('copy')}
      </button>
      <button type="button" class="button plain small" onClick={onShare}>
        {word('share')}
      </button>
      <button type="button" class="button plain small" onClick={onPast}>
        {word('past')}
      </button>
      <button
        type="button"
        class="button plain small"
        title="F1"
        ref={docsButton}
        aria-expanded={path !== undefined}
        onClick={() => (path === undefined ? docs.show([], docsButton.current) : docs.close())}
      >
        {word('docs')}
      </button>
      <p role="status" class="quiet said">
        {message}
      </p>
    </div>
  )
}

/** Limits how often the page renders events of a subscription. */
function oncePerFrame(listener: () => void): () => void {
  let isRequested = false
  return () => {
    if (isRequested) return
    isRequested = true
    requestAnimationFrame(() => {
      isRequested = false
      listener()
    })
  }
}

/** over another supergraph there are fewer phrases */
const greeting = ['welcome.1', 'welcome.2', 'welcome.3'] as const

const welcome = (lines: readonly string[]): string => `${lines.map((line) => `# ${line}`).join('\n')}

${hasComponents ? ofPlatform : 'query First {\n  __typename\n}'}
`

const ofPlatform = `query Platform {
  verificationHealth {
    status
    version
    checks {
      name
      status
      engine
      latencyMs
    }
  }
  verificationQueue {
    depth
    processing
    ready
    workersActive
  }
}`

/** Replaces the initial body with the page. */
export function begin(): void {
  const place = elementAt('#page', HTMLElement)
  place.replaceChildren()
  render(
    <LanguageProvider>
      <QueryPage />
    </LanguageProvider>,
    place,
  )
}
