import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { type Highlighter, tags } from '@lezer/highlight'

/** The shared look for CodeMirror, in light and dark. Custom properties cross the shadow root. */
const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--ground)', color: 'var(--ink)', fontSize: '0.875rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { border: 'none', backgroundColor: 'var(--ground)', color: 'var(--quiet)' },
  '.cm-foldPlaceholder': { padding: '0 0.4em', border: '1px solid var(--line)', backgroundColor: 'var(--panel)', color: 'var(--quiet)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-ground)', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-ground)' },
  '.cm-tooltip': {
    maxWidth: 'min(36rem, 90vw)',
    border: '1px solid var(--field)',
    borderRadius: 'var(--round)',
    backgroundColor: 'var(--ground)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
    overflowWrap: 'anywhere',
    whiteSpace: 'pre-line',
  },
  '.cm-tooltip.cm-tooltip-hover, .cm-tooltip.cm-completionInfo': { padding: '0.4rem 0.6rem', fontFamily: 'var(--text)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: 'none', overflow: 'hidden' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.2rem 0.5rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal' },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'var(--accent-ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic-error': { borderInlineStartColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderInlineStartColor: 'var(--warn)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn)' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { fontFamily: 'var(--text)', padding: '0.4rem 2rem 0.4rem 0.6rem' },
  '.cm-panel.cm-search label': { fontSize: '0.875rem' },
  '.cm-textfield': { border: '1px solid var(--field)', backgroundColor: 'var(--ground)', color: 'var(--ink)', fontSize: '0.875rem' },
  '.cm-button': {
    border: '1px solid var(--field)',
    backgroundImage: 'none',
    backgroundColor: 'var(--ground)',
    color: 'var(--ink)',
    fontSize: '0.875rem',
  },
  '.cm-panel button[name=close]': { color: 'var(--ink)', fontSize: '1.1rem', minWidth: '24px', minHeight: '24px' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: 'var(--accent-ground)', color: 'var(--ink)' },
  ':is(button, input, ul):focus-visible': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-ground)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-ground)', outline: '2px solid var(--focus)' },
})

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword, tags.modifier], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string], color: 'var(--good)' },
  { tag: [tags.integer, tags.float, tags.number, tags.bool, tags.null, tags.special(tags.name)], color: 'var(--warn)' },
  { tag: [tags.variableName], color: 'var(--bad)' },
  { tag: [tags.attributeName], color: 'var(--accent)' },
  { tag: [tags.propertyName], color: 'var(--ink)' },
  { tag: [tags.atom], color: 'var(--accent)' },
  { tag: [tags.lineComment, tags.punctuation, tags.separator, tags.paren], color: 'var(--quiet)' },
])

// exactOptionalPropertyTypes does not accept an undefined scope
export const editorTheme = [theme, syntaxHighlighting(colours as Highlighter)]
