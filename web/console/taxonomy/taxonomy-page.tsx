import { DiscardTaxonomyDraftDocument, RebaseTaxonomyDraftDocument, TaxonomyDraftDocument } from '@civigraph/client/documents'
import { useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { useRuleWords } from '../../shared/words/rules.ts'
import { AddDomain } from './add-domain.tsx'
import { Corrections } from './corrections.tsx'
import { DomainDialog } from './domain-dialog.tsx'
import { Preview } from './preview.tsx'
import { Publication } from './publication.tsx'
import { Reclassifications } from './reclassifications.tsx'
import { RetiredDomains } from './retired-domains.tsx'
import { type Draft, type DraftDomain, treeOf, useLanguageNames, useNames, useTaxonomyWords } from './use-draft.ts'
import { Versions } from './versions.tsx'

/** The draft of the taxonomy, its preview and publication, the published versions, corrections and re-classifications. */
export function TaxonomyPage() {
  const { word } = useTaxonomyWords()
  const [{ data, error }, reload] = useQuery({ query: TaxonomyDraftDocument, requestPolicy: 'cache-and-network' })
  const [published, setPublished] = useState(0)
  useTitle(word('taxonomy.title'))
  const draft = data?.taxonomyDraft
  const reloadDraft = (): void => reload({ requestPolicy: 'network-only' })
  const onPublished = (): void => {
    reloadDraft()
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
          <DraftSection draft={draft} onChanged={reloadDraft} />
          <RetiredDomains draft={draft} onChanged={reloadDraft} />
          <Changes draft={draft} onChanged={reloadDraft} />
          <Preview draft={draft} />
          <Publication draft={draft} onPublished={onPublished} />
          <Corrections draft={draft} onChanged={reloadDraft} />
          <Versions key={published} onPublished={onPublished} />
          <Reclassifications key={`jobs ${published}`} draft={draft} />
        </>
      )}
    </>
  )
}

function DraftSection({ draft, onChanged }: { draft: Draft; onChanged: () => void }) {
  const { word, list, number } = useTaxonomyWords()
  const nameOfLanguage = useLanguageNames()
  const nameOf = useNames(draft)
  const [chosen, choose] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const missing = new Map(draft.missingLabels.map(({ key, languages }) => [key, languages]))
  const changed = new Set(draft.differences.map(({ key }) => key))
  const close = (): void => {
    choose(undefined)
    setAdding(false)
  }
  const row = ({ key, exampleCount, correctionCount, changedBy, editor }: DraftDomain) => (
    <>
      <button type="button" className="said" onClick={() => choose(key)}>
        {nameOf(key)}
      </button>{' '}
      <span className="quiet">{word('taxonomy.phrases', { count: exampleCount })}</span>{' '}
      {correctionCount > 0 && <span className="quiet">{word('taxonomy.correction-count', { count: correctionCount })}</span>}{' '}
      {changed.has(key) && (
        <Badge kind="plain">
          {changedBy == null
            ? word('taxonomy.changed')
            : word('taxonomy.changed-by', { editor: editor?.name ?? editor?.email ?? changedBy })}
        </Badge>
      )}{' '}
      {missing.has(key) && (
        <Badge kind="warn">
          {word('taxonomy.missing', { languages: list((missing.get(key) ?? []).map((code) => nameOfLanguage(code))) })}
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
      {draft.publishedVersion !== draft.baseVersion && <Rebase draft={draft} onChanged={onChanged} />}
      <p className="quiet">{word('taxonomy.fallback')}</p>
      <p>
        <Button look="main" onPress={() => setAdding(true)}>
          {word('taxonomy.add')}
        </Button>
      </p>
      <ul className="lines domains">
        {treeOf(draft.domains).map(({ domain, subDomains }) => (
          <li key={domain.key}>
            {row(domain)}
            {subDomains.length > 0 && (
              <ul>
                {subDomains.map((sub) => (
                  <li key={sub.key}>{row(sub)}</li>
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

/** Updates a draft that was begun before the published version. */
function Rebase({ draft: { publishedVersion, revision }, onChanged }: { draft: Draft; onChanged: () => void }) {
  const { word, number } = useTaxonomyWords()
  const [{ error, fetching }, rebase] = useMutation(RebaseTaxonomyDraftDocument)
  const update = async (): Promise<void> => {
    const { data } = await rebase({ input: { revision } })
    if (data?.rebaseTaxonomyDraft != null) onChanged()
  }
  return (
    <div className="notice">
      <p>{word('taxonomy.rebase-help', { version: number(publishedVersion) })}</p>
      <Button isPending={fetching} onPress={() => void update()}>
        {word('taxonomy.rebase')}
      </Button>
      <Problem error={error} />
    </div>
  )
}

/** What the draft changes, and its problems. */
function Changes({ draft, onChanged }: { draft: Draft; onChanged: () => void }) {
  const { word, named } = useTaxonomyWords()
  const ruleOf = useRuleWords(true)
  const nameOf = useNames(draft)
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
            {named('taxonomy-change', kind === 'RETIRED' && to == null ? 'ENDED' : kind, {
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
          {problems.map(({ path: [key, ...path], code, message }) => (
            <div key={`${key} ${path.join(' ')} ${message}`}>
              <p>{word('taxonomy.problem', { name: nameOf(key), problem: ruleOf(code) ?? message })}</p>
              <p className="quiet" lang="en" dir="ltr">
                {[key, ...path].join(' ')}: {message}
              </p>
            </div>
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
