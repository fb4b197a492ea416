/** Program text that scrolls by keyboard too. @param label - accessible name */
export function CodeText({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, which is of a form
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre dir="ltr" role="group" aria-label={label} tabIndex={0}>
      <code>{text}</code>
    </pre>
  )
}
