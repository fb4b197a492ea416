/** @jsxImportSource preact */

/** A schema description: paragraphs and inline code. Other Markdown is shown as written. */
export function Description({ text }: { readonly text: string | null | undefined }) {
  if (!text) return null
  return (
    <>
      {text.split(/\n{2,}/).map((paragraph, index) => (
        <p key={index} dir="auto" class="description">
          {paragraph.split('`').map((part, place) => (place % 2 === 1 ? <code key={`${place} ${part}`}>{part}</code> : part))}
        </p>
      ))}
    </>
  )
}
