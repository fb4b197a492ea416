import { forwardRef, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { labelIn } from '../../shared/words/words-in.ts'
import type { FilterState } from '../filters/use-filters.ts'
import type { PlacedExpression } from '../live/live-channel.ts'
import { ChoicePanel } from '../panel/choice-panel.tsx'
import { useDistricts, useDrawnDistricts } from '../reading/districts.ts'
import { SentimentLegend } from '../sentiment/sentiment-bar.tsx'
import { labelOfSentiment } from '../sentiment/sentiments.ts'
import type { NameOfTopic } from '../topics/topics.ts'
import type { ExplorerFacts } from '../view/facts.ts'
import { idOf, type MapFeature } from '../view/features.ts'
import { useWords } from '../words/words.ts'
import { useDrawnMap } from './drawing/use-drawn-map.ts'
import { MapSection } from './map-section.tsx'
import { DistrictTable } from './tables/district-table.tsx'
import { MapTable } from './tables/map-table.tsx'
import { usePlaceText } from './tables/place-text.ts'
import { type PlacedView, usePlacedView } from './use-placed-view.ts'
import { useWorld } from './use-world.ts'

export interface MapPartProps extends Pick<FilterState, 'filters' | 'box' | 'moveTo' | 'shown' | 'show'> {
  readonly facts: ExplorerFacts
  readonly nameOf: NameOfTopic
  /** ids of withdrawn expressions */
  readonly withdrawn: ReadonlySet<string>
  readonly onFailing: (isFailing: boolean) => void
  /** whether the rest of the page shows its data: the map's scripts are loaded after it */
  readonly isPageShown: boolean
}

/** Map operations for the other parts of the page. */
export interface MapHandle {
  /** reloads the map */
  refresh(): void
  /** animates a new expression */
  pulse(expression: PlacedExpression): void
  /** centres and selects a feature */
  show(feature: MapFeature): void
}

const closeZoom = 8

/** The map with the details of its selection, and the same data as a table. */
export const MapPart = forwardRef<MapHandle, MapPartProps>(function MapPart(
  { filters, box, moveTo, shown, show: showAs, facts, nameOf, withdrawn, onFailing, isPageShown },
  handle,
) {
  const { word, language } = useWords()
  const place = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<MapFeature | string>()
  const [credit, setCredit] = useState<string | null>()
  const isNear = useIsNear(place)
  const isWanted = isPageShown && isNear
  const world = useWorld(isWanted)
  const seen = useRef<PlacedView['onView']>(undefined)
  const { status, map } = useDrawnMap(place, isWanted, { filters, shown, box }, world, {
    tiles: facts.tiles,
    onView: (...view) => seen.current?.(...view),
    onChoice: setChosen,
    onCredit: setCredit,
  })
  const view = usePlacedView(filters, box, moveTo, map)
  seen.current = view.onView
  const { covered } = view
  useEffect(() => {
    if (covered !== undefined) map?.setExpressions(covered)
  }, [map, covered])
  const districts = useDistricts(filters)
  const outlines = useDrawnDistricts(districts.answer, shown === 'districts')
  const placeText = usePlaceText(world)
  useEffect(() => {
    if (outlines !== undefined) map?.setDistricts(outlines)
  }, [map, outlines])
  const feature = typeof chosen === 'object' ? chosen : undefined
  useEffect(() => map?.mark(feature), [map, feature])
  useEffect(() => setChosen(undefined), [filters])
  // the address may select districts that do not exist
  const isBare = shown === 'districts' && districts.answer?.length === 0
  useEffect(() => {
    if (isBare) showAs('rings')
  }, [isBare, showAs])
  useEffect(() => onFailing(view.isFailing), [view.isFailing, onFailing])

  useImperativeHandle(handle, () => ({
    refresh: () => {
      view.refresh()
      if (shown === 'districts') districts.refresh()
    },
    pulse: ({ location, sentiment }) => location && map?.pulse([location.lon, location.lat], labelOfSentiment(sentiment?.label)),
    show: (wanted) => {
      place.current?.scrollIntoView({ block: 'center' })
      map?.goTo(wanted.geometry.coordinates, closeZoom)
      setChosen(wanted)
    },
  }))

  const close = (): void => {
    setChosen(undefined)
    map?.focus()
  }
  const show = (wanted: MapFeature): void => {
    map?.goTo(wanted.geometry.coordinates)
    setChosen(wanted)
    map?.focus()
  }
  const zoomIn = (wanted: MapFeature, zoom: number): void => {
    setChosen(undefined)
    map?.goTo(wanted.geometry.coordinates, zoom + 1)
  }
  const district = typeof chosen === 'string' ? districts.answer?.find(({ code }) => code === chosen) : undefined
  const subject = feature ?? district
  const title =
    feature === undefined ? (labelIn(language, district?.labels ?? []) ?? '') : placeText(...feature.geometry.coordinates, view.reach)
  return (
    <MapSection
      place={place}
      status={status}
      summary={view.answer === undefined ? '' : summaryOf(view.answer, word)}
      credit={credit === null ? `${word('map.tiles-away')} ${word('attribution')}` : (credit ?? word('attribution'))}
      shown={shown}
      hasDistricts={(districts.answer?.length ?? 0) > 0}
      onShown={(wanted) => {
        setChosen(undefined)
        showAs(wanted)
      }}
      onZoom={(steps) => map?.zoomBy(steps)}
      onShowAll={view.showAll}
      panel={
        subject !== undefined && (
          <ChoicePanel
            key={'code' in subject ? subject.code : idOf(subject)}
            chosen={subject}
            title={title}
            filters={filters}
            nameOf={nameOf}
            withdrawn={withdrawn}
            isVotingOpen={facts.isVotingOpen}
            onClose={close}
            onZoomIn={zoomIn}
          />
        )
      }
      table={
        shown === 'districts' ? (
          <DistrictTable districts={districts.answer ?? []} />
        ) : (
          <MapTable features={view.answer?.features ?? []} placeText={placeText} reach={view.reach} onShow={show} />
        )
      }
      legend={<SentimentLegend isUnknownShown />}
    />
  )
})

/** Whether the element has come near the visible part of the page, or the page is used with the keyboard, which may move there at once. */
function useIsNear(place: RefObject<HTMLElement>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || place.current === null) return
    const near = (): void => setNear(true)
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && near(), { rootMargin: '50px' })
    observer.observe(place.current)
    addEventListener('keydown', near)
    return () => {
      observer.disconnect()
      removeEventListener('keydown', near)
    }
  }, [place, isNear])
  return isNear
}

function summaryOf({ total, unmapped }: { total: number; unmapped: number }, word: ReturnType<typeof useWords>['word']): string {
  if (total === 0) return word('nothing')
  const here = word('inView', { count: total - unmapped })
  return unmapped === 0 ? `${here}.` : word('summary', { here, elsewhere: word('unmapped', { count: unmapped }) })
}
