import { useRef } from 'react'
import { sentiments } from '../sentiment/sentiments.ts'
import type { NameOfTopic, Topic } from '../topics/topics.ts'
import { useFormats, useWords } from '../words/words.ts'
import { type Filters, maxQueryLength, periods, wantedOf } from './address.ts'

export interface FilterFormProps {
  readonly filters: Filters
  readonly topics: readonly Topic[]
  readonly nameOf: NameOfTopic
  /** languages that occur, most frequent first */
  readonly languages: readonly string[]
  readonly onChoose: (some: Partial<Filters>) => void
  readonly onClear: () => void
  /** address of the export of expressions */
  readonly exportUrl: string
}

/** The filters of the page. */
export function FilterForm({ filters, topics, nameOf, languages, onChoose, onClear, exportUrl }: FilterFormProps) {
  const { word } = useWords()
  const { languageName } = useFormats()
  const { domain, sentiment, written, period, q } = filters
  const words = useRef<HTMLInputElement>(null)
  const search = (): void => {
    const text = words.current?.value.trim() ?? ''
    if (text !== q) onChoose({ q: text })
  }
  const exported = (format: string) => `${exportUrl}?${new URLSearchParams({ format, ...wantedOf(filters) })}`
  const isListed = (id: string): boolean => topics.some((topic) => topic.id === id || topic.subDomains.some((part) => part.id === id))
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not in every browser
    <form
      className="filters"
      id="filters"
      role="search"
      aria-label={word('filters')}
      onSubmit={(event) => {
        event.preventDefault()
        search()
      }}
    >
      <div className="field">
        <label htmlFor="q">{word('q')}</label>
        <input key={q} id="q" type="search" ref={words} defaultValue={q} maxLength={maxQueryLength} onBlur={search} />
      </div>
      <div className="field">
        <label htmlFor="domain">{word('domain')}</label>
        <select id="domain" value={domain} onChange={({ target }) => onChoose({ domain: target.value })}>
          <option value="">{word('allDomains')}</option>
          {domain !== '' && !isListed(domain) && <option value={domain}>{nameOf(domain)}</option>}
          {topics.flatMap((topic) => [
            <option key={topic.id} value={topic.id}>
              {nameOf(topic.id)}
            </option>,
            ...topic.subDomains.map(({ id }) => (
              <option key={id} value={id}>
                {'\u2003'}
                {nameOf(id)}
              </option>
            )),
          ])}
        </select>
      </div>
      <fieldset className="sentiments">
        <legend>{word('sentiment')}</legend>
        <div className="choices">
          {(['', ...sentiments] as const).map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="sentiment"
                value={each}
                checked={sentiment === each}
                onChange={() => onChoose({ sentiment: each })}
              />
              {each === '' ? (
                word('allSentiments')
              ) : (
                <span className="sentiment" data-sentiment={each}>
                  {word(each)}
                </span>
              )}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="field">
        <label htmlFor="written">{word('expressionLanguage')}</label>
        <select id="written" value={written} onChange={({ target }) => onChoose({ written: target.value })}>
          <option value="">{word('allLanguages')}</option>
          {[...new Set([...languages, ...(written === '' ? [] : [written])])].map((code) => (
            <option key={code} value={code}>
              {languageName(code) ?? word('languageUnknown')}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="period">{word('period')}</label>
        <select
          id="period"
          value={period}
          onChange={({ target }) => onChoose({ period: periods.find((each) => each === target.value) ?? '' })}
        >
          {periods.map((each) => (
            <option key={each} value={each}>
              {word(each === '' ? 'periodAll' : `period${each}`)}
            </option>
          ))}
        </select>
      </div>
      <button className="button plain" type="button" onClick={onClear}>
        {word('clear')}
      </button>
      <p className="quiet">
        {word('export')} <a href={exported('csv')}>CSV</a>, <a href={exported('ndjson')}>NDJSON</a>
      </p>
    </form>
  )
}
