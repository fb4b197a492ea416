import { followable } from '../../shared/content/markdown/inline.tsx'
import { English, useDocument } from '../interface/document.tsx'
import { useWords } from '../words/words.ts'

/** The API's description, contact and version. */
export function About() {
  const { word } = useWords()
  const { info } = useDocument()
  const { title, version, description, contact, license, termsOfService } = info
  const mail = contact?.email === undefined ? undefined : `mailto:${contact.email}`
  const further = [
    { term: word('about.contact'), text: contact?.name ?? contact?.email ?? contact?.url, href: contact?.url ?? mail },
    { term: word('about.licence'), text: license?.name, href: license?.url },
    { term: word('about.terms'), text: termsOfService, href: termsOfService },
  ].filter(({ text }) => text !== undefined)
  return (
    <>
      <h1>
        <bdi lang="en">{title}</bdi>
      </h1>
      {version !== undefined && <p className="quiet">{word('about.version', { version })}</p>}
      <English text={description} level={1} />
      {further.length > 0 && (
        <dl className="facts">
          {further.map(({ term, text, href }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>
                <ExternalLink href={followable(href)} text={text ?? ''} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

function ExternalLink({ href, text }: { href: string | undefined; text: string }) {
  if (href === undefined) return <bdi>{text}</bdi>
  return (
    <a href={href} rel="noopener noreferrer">
      <bdi>{text}</bdi>
    </a>
  )
}
