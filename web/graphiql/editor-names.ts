import { word } from './words/words.ts'

const names: Readonly<Record<string, string>> = {
  '.graphiql-query-editor textarea': word('editor.operation'),
  '.graphiql-editor-tool .graphiql-editor:nth-child(1) textarea': word('editor.variables'),
  '.graphiql-editor-tool .graphiql-editor:nth-child(2) textarea': word('editor.headers'),
  '.result-window textarea': word('editor.answer'),
}

/** GraphiQL's editors have no names of their own for a screen reader: gives them some as soon as they are there. */
export function nameEditors(place: Element): void {
  new MutationObserver((_, observer) => {
    const editors = Object.entries(names).map(([selector, name]) => [document.querySelector(selector), name] as const)
    for (const [editor, name] of editors) editor?.setAttribute('aria-label', name)
    if (editors.every(([editor]) => editor !== null)) observer.disconnect()
  }).observe(place, { childList: true, subtree: true })
}
