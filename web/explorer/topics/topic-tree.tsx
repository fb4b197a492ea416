import { useState } from 'react'
import { SentimentBar } from '../sentiment/sentiment-bar.tsx'
import { withUnknown } from '../sentiment/sentiments.ts'
import { useFormats, useWords } from '../words/words.ts'
import { type NameOfTopic, type SubTopic, sortedTopics, type Topic } from './topics.ts'

export interface TopicTreeProps {
  readonly topics: readonly Topic[]
  readonly nameOf: NameOfTopic
  /** id of the selected topic, or '' */
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** The topics as a tree: frequency, sentiment and trend. */
export function TopicTree({ topics, ...shared }: TopicTreeProps) {
  const { word } = useWords()
  const largest = Math.max(1, ...topics.map(({ statistics }) => statistics.expressions))
  return (
    <section className="topics" aria-labelledby="domains-title">
      <h2 id="domains-title">{word('domains')}</h2>
      <p className="quiet">{word('domainsHint')}</p>
      <ul className="tree" id="tree">
        {sortedTopics(topics).map((topic) => (
          <Branch key={topic.id} topic={topic} largest={largest} {...shared} />
        ))}
      </ul>
    </section>
  )
}

type RowProps = Omit<TopicTreeProps, 'topics'> & { readonly largest: number }

function Branch({ topic, ...shared }: RowProps & { topic: Topic }) {
  const { word } = useWords()
  const { chosen, nameOf } = shared
  const [isOpen, setOpen] = useState(false)
  const isShown = isOpen || topic.subDomains.some(({ id }) => id === chosen)
  const parts = `parts-${topic.id}`
  if (topic.subDomains.length === 0)
    return (
      <li>
        <Row topic={topic} {...shared} />
      </li>
    )
  return (
    <li>
      <button
        type="button"
        className="toggle"
        aria-label={word('subDomains', { label: nameOf(topic.id) })}
        aria-controls={parts}
        aria-expanded={isShown}
        onClick={() => setOpen(!isShown)}
      />
      <Row topic={topic} {...shared} />
      <ul id={parts} hidden={!isShown}>
        {sortedTopics(topic.subDomains).map((part) => (
          <li key={part.id}>
            <Row topic={part} {...shared} largest={topic.statistics.expressions || 1} />
          </li>
        ))}
      </ul>
    </li>
  )
}

function Row({ topic, largest, nameOf, chosen, onChoose }: RowProps & { topic: Topic | SubTopic }) {
  const { compact } = useFormats()
  const { id, statistics } = topic
  const { expressions, sentiment } = statistics
  const isChosen = id === chosen
  const width = `${Math.max(expressions === 0 ? 0 : 2, (100 * expressions) / largest)}%`
  return (
    <>
      <button type="button" className="topic" aria-pressed={isChosen} data-key={id} onClick={() => onChoose(isChosen ? '' : id)}>
        <span className="name">{nameOf(id)}</span>
        <span className="count">{compact(expressions)}</span>
      </button>
      <div className="measure">
        <SentimentBar counts={withUnknown(sentiment, expressions)} width={width} />
        <Trend statistics={statistics} />
      </div>
    </>
  )
}

function Trend({ statistics: { trend, last7d } }: Pick<Topic, 'statistics'>) {
  const { word } = useWords()
  const { change } = useFormats()
  if (trend === 0 && last7d === 0) return <span className="trend" />
  const capped = Math.max(-1, Math.min(9.99, trend))
  const direction = capped > 0.005 ? 'up' : capped < -0.005 ? 'down' : 'level'
  return (
    <span className="trend" data-direction={direction} title={word('trend', { change: change(capped) })}>
      {{ up: '▲', down: '▼', level: '●' }[direction]} {change(capped)}
    </span>
  )
}
