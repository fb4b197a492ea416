import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { type LayerChoice, layerChoices } from '../filters/address.ts'
import { useWords } from '../words/words.ts'
import type { MapStatus } from './drawing/use-drawn-map.ts'
import { ViewButtons } from './view-buttons.tsx'

export interface MapSectionProps {
  /** element that contains the map */
  readonly place: RefObject<HTMLDivElement>
  readonly status: MapStatus
  readonly summary: string
  readonly credit: string
  readonly shown: LayerChoice
  readonly hasDistricts: boolean
  readonly onShown: (shown: LayerChoice) => void
  readonly onZoom: (steps: number) => void
  readonly onShowAll: () => void
  /** details of the selection */
  readonly panel: ReactNode
  /** the map's data as a table */
  readonly table: ReactNode
  readonly legend: ReactNode
}

/** The map with its controls. Its table replaces it where it cannot be drawn. */
export function MapSection({ place, status, summary, credit, shown, hasDistricts, panel, table, legend, ...on }: MapSectionProps) {
  const { word } = useWords()
  const [isOpen, setOpen] = useState(false)
  const isUnavailable = status === 'unavailable'
  useEffect(() => {
    if (isUnavailable) setOpen(true)
  }, [isUnavailable])
  const buttons = [
    ['zoom-in', 'zoomIn', '+', () => on.onZoom(1)],
    ['zoom-out', 'zoomOut', '−', () => on.onZoom(-1)],
    ['whole', 'wholeView', <span key="frame" className="frame" aria-hidden="true" />, on.onShowAll],
  ] as const
  return (
    <section className="place" aria-labelledby="map-title">
      <div className="row heading">
        <h2 id="map-title">{word('map')}</h2>
        <p className="quiet" id="map-summary" role="status">
          {summary}
        </p>
      </div>
      {isUnavailable ? (
        <p className="notice" role="status">
          {word('map.unavailable')}
        </p>
      ) : (
        <div className="map">
          <div className="drawn" ref={place} />
          {status === 'loading' && <p className="waiting">{word('map.loading')}</p>}
          <div className="controls">
            {buttons.map(([id, label, sign, press]) => (
              <button key={id} type="button" id={id} aria-label={word(label)} onClick={press}>
                {sign}
              </button>
            ))}
          </div>
          {panel}
          <p className="credits">{credit}</p>
        </div>
      )}
      <div className="row below">
        {!isUnavailable && <LayerForm shown={shown} hasDistricts={hasDistricts} onShown={on.onShown} />}
        <ViewButtons />
      </div>
      {legend}
      <details id="map-table" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{word('showTable')}</summary>
        {isOpen && table}
      </details>
    </section>
  )
}

function LayerForm({ shown, hasDistricts, onShown }: Pick<MapSectionProps, 'shown' | 'hasDistricts' | 'onShown'>) {
  const { word } = useWords()
  return (
    <fieldset className="layers">
      <legend className="unseen">{word('layer')}</legend>
      <div className="choices">
        {layerChoices
          .filter((choice) => hasDistricts || choice !== 'districts')
          .map((choice) => (
            <label key={choice}>
              <input type="radio" name="layer" value={choice} checked={shown === choice} onChange={() => onShown(choice)} />
              {word(`layer.${choice}`)}
            </label>
          ))}
      </div>
    </fieldset>
  )
}
