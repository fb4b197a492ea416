import { DistrictOutlinesDocument, DistrictsDocument, type DistrictsQuery } from '@civigraph/client/documents'
import { useEffect, useMemo, useState } from 'react'
import type { Filters } from '../filters/address.ts'
import { graphFilterOf, queried } from './graph.ts'
import { type LiveReading, useReading } from './use-reading.ts'

export type District = NonNullable<DistrictsQuery['districts']>['districts'][number]

/** Reads the figures of the operator's districts; empty without districts. */
export function useDistricts(filters: Filters): LiveReading<readonly District[]> {
  const filter = graphFilterOf(filters)
  return useReading(
    JSON.stringify(filter),
    async (signal) => (await queried(DistrictsDocument, { filter }, signal)).districts?.districts ?? [],
  )
}

const isCollection = (value: object): value is GeoJSON.FeatureCollection => 'features' in value && Array.isArray(value.features)

const collectionOf = (value: object | undefined): GeoJSON.FeatureCollection | undefined =>
  value !== undefined && isCollection(value) ? value : undefined

/** Reads their outlines when they are first shown, with the figures as properties. */
export function useDrawnDistricts(districts: readonly District[] | undefined, areDrawn: boolean): GeoJSON.FeatureCollection | undefined {
  const [outlines, setOutlines] = useState<GeoJSON.FeatureCollection>()
  const areThere = (districts?.length ?? 0) > 0
  useEffect(() => {
    if (!areDrawn || !areThere || outlines !== undefined) return
    const leaving = new AbortController()
    queried(DistrictOutlinesDocument, {}, leaving.signal)
      .then((answer) => setOutlines(collectionOf(answer.districts?.featureCollection)))
      .catch(() => undefined)
    return () => leaving.abort()
  }, [areDrawn, areThere, outlines])
  return useMemo(() => {
    const figures = new Map(districts?.map((district) => [district.code, district]))
    return (
      outlines && {
        ...outlines,
        features: outlines.features.map((outline) => {
          const figure = figures.get(String(outline.properties?.code))
          return {
            ...outline,
            properties: { ...outline.properties, expressions: figure?.expressions ?? 0, score: figure?.sentiment.score ?? 0 },
          }
        }),
      }
    )
  }, [outlines, districts])
}
