import { DiscardTaxonomyDraftDocument, TaxonomyDraftDocument } from '@civigraph/client/documents'
import { useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { AddDomain } from './add-domain.tsx'
import { Corrections } from './corrections.tsx'
import { DomainDialog } from './domain-dialog.tsx'
import { Preview } from './preview.tsx'
import { Publication } from './publication.tsx'
import { Reclassifications } from './reclassifications.tsx'
import { type Draft, treeOf, useNames, useTaxonomyWords } from './use-draft.ts'
import { Versions } from './versions.tsx'

/** The draft of the taxonomy, its preview and publication, the published versions, corrections and re-classifications. */
export function TaxonomyPage() {
  const { word } = useTaxonomyWords()
  const [{ data, error }, reload] = useQuery({ query: TaxonomyDraftDocument, requestPolicy: 'cache-and-network' })
  const [published, setPublished] = useState(0)
  useTitle(word('taxonomy.title'))
  const draft = data?.taxonomyDraft
  const again = (): void => reload({ requestPolicy: 'network-only' })
  const onPublished = (): void => {
    again()
    setPublished((before) => before + 1)
  }
  return (
    <>
      <p>
        <a href="#/expressions">{word('taxonomy.back')}</a>
      </p>
      <h1>{word('taxonomy.title')}</h1>
      <p className="lede">{word('taxonomy.lede')}</p>
      <Problem error={error} />
      {draft != null && (
        <>
          <DraftSection draft={draft} onChanged={again} />
          <Changes draft={draft} onChanged={again} />
          <Preview draft={draft} />
          <Publication draft={draft} onPublished={onPublished} />
          <Corrections draft={draft} onChanged={again} />
          <Versions key={published} onPublished={onPublished} />
          <Reclassifications key={`jobs ${published}`} draft={draft} />
        </>
      )}
    </>
  )
}

function DraftSection({ draft, onChanged }: { draft: Draft; onChanged: () => void }) {
  const { word, named, list, number } = useTaxonomyWords()
  const nameOf = useNames(draft.domains)
  const [chosen, choose] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const missing = new Map(draft.missingLabels.map(({ key, languages }) => [key, languages]))
  const close = (): void => {
    choose(undefined)
    setAdding(false)
  }
  const row = (key: string, revision: number, exampleCount: number) => (
    <>
      <button type="button" className="said" onClick={() => choose(key)}>
        {nameOf(key)}
      </button>{' '}
      <span className="quiet">{word('taxonomy.phrases', { count: exampleCount })}</span>{' '}
      {revision > 0 && <Badge kind="plain">{word('taxonomy.changed')}</Badge>}{' '}
      {missing.has(key) && (
        <Badge kind="warn">
          {word('taxonomy.missing', { languages: list((missing.get(key) ?? []).map((code) => named('language', code))) })}
        </Badge>
      )}
    </>
  )
  return (
    <section aria-labelledby="draft">
      <h2 id="draft">{word('taxonomy.draft')}</h2>
      <p>
        {word('taxonomy.base', { version: number(draft.baseVersion) })}{' '}
        {draft.missingLabels.length > 0 && word('taxonomy.missing-count', { count: draft.missingLabels.length })}
      </p>
      <p className="quiet">{word('taxonomy.fallback')}</p>
      <p>
        <Button look="main" onPress={() => setAdding(true)}>
          {word('taxonomy.add')}
        </Button>
      </p>
      <ul className="lines domains">
        {treeOf(draft.domains).map(({ domain, subDomains }) => (
          <li key={domain.key}>
            {row(domain.key, domain.revision, domain.exampleCount)}
            {subDomains.length > 0 && (
              <ul>
                {subDomains.map((sub) => (
                  <li key={sub.key}>{row(sub.key, sub.revision, sub.exampleCount)}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {isAdding && (
        <AddDomain
          draft={draft}
          onClose={close}
          onChanged={() => {
            close()
            onChanged()
          }}
        />
      )}
      {chosen !== undefined && (
        <DomainDialog
          key={chosen}
          draft={draft}
          domainKey={chosen}
          onClose={close}
          onChanged={() => {
            close()
            onChanged()
          }}
        />
      )}
    </section>
  )
}

/** What the draft changes, and its problems. */
function Changes({ draft, onChanged }: { draft: Draft; onChanged: () => void }) {
  const { word, named } = useTaxonomyWords()
  const nameOf = useNames(draft.domains)
  const [{ error, fetching }, discard] = useMutation(DiscardTaxonomyDraftDocument)
  const { differences, problems, revision } = draft
  const discardAll = async (): Promise<void> => {
    await discard({ input: { revision } })
    onChanged()
  }
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">{word('taxonomy.changes')}</h2>
      {differences.length === 0 && <p>{word('taxonomy.no-changes')}</p>}
      <ul>
        {differences.map(({ kind, key, from, to, added, removed }) => (
          <li key={`${kind} ${key}`}>
            {named('taxonomy-change', kind, {
              name: nameOf(key),
              from: from == null ? word('taxonomy.top') : nameOf(from),
              to:
                to == null
                  ? word(kind === 'MOVED' || kind === 'ADDED' || kind === 'RESTORED' ? 'taxonomy.top' : 'taxonomy.none')
                  : nameOf(to),
              added,
              removed,
            })}
          </li>
        ))}
      </ul>
      {problems.length > 0 && (
        <div role="alert" className="notice bad">
          {problems.map(({ path, message }) => (
            <p key={`${path.join(' ')} ${message}`} lang="en" dir="ltr">
              {path.join(' ')}: {message}
            </p>
          ))}
        </div>
      )}
      <Problem error={error} />
      {differences.length > 0 && (
        <Button isPending={fetching} onPress={() => void discardAll()}>
          {word('taxonomy.discard')}
        </Button>
      )}
    </section>
  )
}
