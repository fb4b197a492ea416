import { useState } from 'react'
import { Scrolling } from '../../components/keyboard.tsx'
import { SentimentLegend } from '../sentiment/sentiment-bar.tsx'
import { useWords } from '../words/words.ts'
import type { ToneDay } from './bars.ts'
import { ToneChart, ToneTable } from './tone-chart.tsx'

/** Sentiment over time, as a chart and as a table. */
export function ToneSection({ days }: { days: readonly ToneDay[] }) {
  const { word } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">{word('history')}</h2>
      <ToneChart days={days} />
      <SentimentLegend />
      <details id="history-table" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} hidden={days.length === 0}>
        <summary>{word('historyTable')}</summary>
        {isOpen && (
          <Scrolling label={word('history')} className="rows">
            <ToneTable days={days} />
          </Scrolling>
        )}
      </details>
      <p className="quiet">{word('reach')}</p>
    </section>
  )
}
