import { ExplorerFiguresDocument } from '@civigraph/client/documents'
import { useEffect, useMemo, useRef, useState } from 'react'
import { factsOf } from '../shared/frame/page-document.ts'
import { PageHeader } from '../shared/frame/page-header.tsx'
import { useTitle } from '../shared/frame/page-hooks.ts'
import { LiveFeed } from './feed/live-feed.tsx'
import { useFeed } from './feed/use-feed.ts'
import { type Filters, noFilters } from './filters/address.ts'
import { FilterForm } from './filters/filter-form.tsx'
import { useFilters } from './filters/use-filters.ts'
import type { LiveListener } from './live/live-channel.ts'
import { type Live, useLive } from './live/use-live.ts'
import { type MapHandle, MapPart } from './map/map-part.tsx'
import { ExpressionForm } from './participation/expression-form.tsx'
import { answered, graphFilterOf } from './reading/graph.ts'
import { type LiveReading, useReading } from './reading/use-reading.ts'
import { type Figures, KeyFigures } from './tone/key-figures.tsx'
import { ToneSection } from './tone/tone-section.tsx'
import { TopicTree } from './topics/topic-tree.tsx'
import { namesOf, type Topic } from './topics/topics.ts'
import type { ExplorerFacts } from './view/facts.ts'
import { useWords } from './words/words.ts'

const facts = factsOf<ExplorerFacts>()
/** within which the search index contains a change that was announced */
const indexLagMs = 4000

/** What citizens say: on a map, by topic, over time and live. */
export function ExplorerPage() {
  const { word, language } = useWords()
  useTitle(word('title'))
  const state = useFilters()
  const { filters, choose, clear } = state
  const [isMapFailing, setMapFailing] = useState(false)
  const map = useRef<MapHandle>(null)
  const { figures, topics: known } = useFigures(filters)
  const feed = useFeed()
  /** while this page is open */
  const [withdrawn, setWithdrawn] = useState<ReadonlySet<string>>(new Set())
  const topics = known ?? []
  const nameOf = useMemo(() => namesOf(known ?? [], language), [known, language])
  const isUnknown = useUnknownTopic(known, filters.domain, choose)
  const readAgain = (what: Parameters<LiveListener['changed']>[0]): void => {
    if (what !== 'map') figures.refresh()
    if (what === 'map' || what === 'any') map.current?.refresh()
  }
  const followUp = useRef<ReturnType<typeof setTimeout>>(undefined)
  const live = useLive(filters, {
    expression: (expression) => {
      feed.add(expression)
      // a withdrawal was undone
      setWithdrawn((before) => (before.has(expression.id) ? new Set([...before].filter((id) => id !== expression.id)) : before))
      map.current?.pulse(expression)
    },
    withdrawn: (id) => {
      feed.remove(id)
      setWithdrawn((before) => new Set(before).add(id))
    },
    changed: (what) => {
      readAgain(what)
      if (filters.q === '') return
      clearTimeout(followUp.current)
      followUp.current = setTimeout(() => readAgain('any'), indexLagMs)
    },
  })
  // earlier events do not match the new filters
  const chooseSome = (some: Partial<Filters>): void => {
    feed.clear()
    choose(some)
  }
  return (
    <>
      <PageHeader
        links={{
          label: word('service'),
          items: [
            { href: '/docs', text: word('documentation') },
            { href: '/health', text: word('health') },
          ],
        }}
      />
      <main className="wide" id="content" tabIndex={-1}>
        <div className="title">
          <div>
            <h1>{word('title')}</h1>
            <p className="lede">{word('lede')}</p>
          </div>
          <Liveness {...live} />
        </div>
        {isUnknown && (
          <p className="notice" role="status">
            {word('domain.unknown')}
          </p>
        )}
        {(figures.isFailing || isMapFailing) && (
          <p className="notice bad" role="alert">
            {word(filters.q === '' ? 'failed' : 'q.failed')}
          </p>
        )}
        <KeyFigures figures={figures.answer} />
        <FilterForm
          filters={filters}
          topics={topics}
          nameOf={nameOf}
          languages={figures.answer?.expressions.byLang.map(({ lang }) => lang) ?? []}
          onChoose={chooseSome}
          onClear={() => {
            feed.clear()
            clear()
          }}
          exportUrl={facts.exportUrl}
        />
        <div className="columns">
          <div>
            <MapPart
              ref={map}
              {...state}
              facts={facts}
              nameOf={nameOf}
              withdrawn={withdrawn}
              onFailing={setMapFailing}
              isPageShown={figures.answer !== undefined || figures.isFailing}
            />
            <ExpressionForm
              nameOf={nameOf}
              isVotingOpen={facts.isVotingOpen}
              withdrawn={withdrawn}
              onShow={(feature) => map.current?.show(feature)}
            />
          </div>
          <LiveFeed feed={feed} nameOf={nameOf} />
        </div>
        <div className="columns even">
          <TopicTree topics={topics} nameOf={nameOf} chosen={filters.domain} onChoose={(domain) => chooseSome({ domain })} />
          <ToneSection days={figures.answer?.sentiment.history ?? []} />
        </div>
      </main>
      <footer>
        <div className="wide">{word('attribution')}</div>
      </footer>
    </>
  )
}

/** Removes an unknown topic from the filters. Returns whether it did. */
function useUnknownTopic(topics: readonly Topic[] | undefined, domain: string, choose: (some: Partial<Filters>) => void): boolean {
  const [isUnknown, setUnknown] = useState(false)
  const isMissing =
    domain !== '' &&
    topics !== undefined &&
    !topics.some(({ id, subDomains }) => id === domain || subDomains.some((part) => part.id === domain))
  useEffect(() => {
    if (!isMissing) return
    setUnknown(true)
    choose({ domain: '' })
  }, [isMissing, choose])
  return isUnknown && domain === ''
}

/** Shows whether the page is up to date, and how many people view it. */
function Liveness({ state, audience }: Live) {
  const { word } = useWords()
  return (
    <p className="liveness">
      <span className="state" id="connection" role="status" data-state={{ live: 'good', connecting: 'warn', offline: 'bad' }[state]}>
        {word(state)}
      </span>
      {audience !== undefined && state === 'live' && <span className="quiet">{word('audience', { count: audience })}</span>}
    </p>
  )
}

/** Reads the figures of a topic, a period and words, without sentiment and language, and all topics with their numbers of expressions. */
function useFigures({ domain, period, q }: Filters): {
  readonly figures: LiveReading<Figures>
  readonly topics: readonly Topic[] | undefined
} {
  const [topics, setTopics] = useState<readonly Topic[]>()
  const filter = graphFilterOf({ ...noFilters, domain, period, q })
  const figures = useReading(JSON.stringify(filter), async (signal) => {
    const { data, error } = await answered(ExplorerFiguresDocument, { filter, q: q || null }, signal)
    signal.throwIfAborted()
    // an unknown topic in the address has no figures
    if (data?.domains != null) setTopics(data.domains.domains)
    if (data?.statistics == null || error !== undefined) throw error ?? new Error('The response has no statistics')
    return data.statistics
  })
  return { figures, topics }
}
