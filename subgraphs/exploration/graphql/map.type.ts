import { createUnionType, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import { type MapCluster as Cluster, type MapAnswer, type MapPoint as Point, scoreOf } from '../queries/map-view.ts'
import type { TaxonomyTree } from '../queries/taxonomy-tree.ts'
import { figuresOfVotes } from '../queries/vote-tally.ts'
import type { RolledDomain } from '../tables.ts'
import { Domain, DomainTaxonomy, SentimentCounts, SentimentLabel, Statistics, VoteCounts, VotedExpression } from './exploration.type.ts'
import { attribution, geoJsonOf } from './geo-json.ts'

@ObjectType({ description: 'A tile of the map' })
export class MapTile {
  @Field(() => Int, { description: 'Zoom' })
  zoom!: number
  @Field(() => Int, { description: 'Column, from the west' })
  column!: number
  @Field(() => Int, { description: 'Row, from the north' })
  row!: number
}

/** @param name - `zoom/column/row` */
export function tileOf(name: string): MapTile {
  const [zoom = 0, column = 0, row = 0] = name.split('/').map(Number)
  return { zoom, column, row }
}

@ObjectType({ description: 'Expressions of a domain' })
export class DomainCount {
  @Field(() => Int, { description: 'Expressions' })
  count!: number
  domainId!: string
}

@ObjectType({ description: 'Several expressions near each other' })
export class MapCluster {
  @Field(() => MapTile, { description: 'The tile that they are all in; no two clusters of a map are in the same one' })
  tile!: MapTile
  @Field(() => Float, { description: 'Degrees north of their mean, WGS 84' })
  lat!: number
  @Field(() => Float, { description: 'Degrees east of their mean' })
  lon!: number
  @Field(() => Int, { description: 'How many they are' })
  pointCount!: number
  @Field(() => Int, { description: 'The zoom from which on they may stand apart' })
  expansionZoom!: number
  @Field(() => SentimentCounts, { description: 'Their sentiment' })
  sentiment!: SentimentCounts
  @Field(() => [DomainCount], { description: 'By domain; those without one are in none' })
  domains!: DomainCount[]
}

@ObjectType({ description: 'An expression where it was said' })
export class MapPoint {
  @Field(() => Float, { description: 'Degrees north, WGS 84' })
  lat!: number
  @Field(() => Float, { description: 'Degrees east' })
  lon!: number
  @Field(() => VotedExpression, { description: 'The expression' })
  expression!: VotedExpression
  @Field(() => Domain, { nullable: true, description: 'Null when it has none, or one that is no longer in the taxonomy' })
  domain!: RolledDomain | null
  @Field(() => Domain, { nullable: true, description: 'Null when it has none, or one that is no longer in the taxonomy' })
  subDomain!: RolledDomain | null
  @Field(() => SentimentLabel, { nullable: true, description: 'Its sentiment' })
  sentiment!: `${SentimentLabel}` | null
  @Field(() => String, { description: 'Its language; und: not known' })
  lang!: string
  @Field(() => DateTime, { description: 'When it was said' })
  createdAt!: Date
  @Field(() => VoteCounts, { description: 'Votes on it' })
  votes!: VoteCounts
}

const MapFeature = createUnionType({
  name: 'MapFeature',
  description: 'What stands on the map',
  types: () => [MapCluster, MapPoint] as const,
  resolveType: (value) => ('pointCount' in value ? MapCluster : MapPoint),
})

@ObjectType({ description: 'Expressions by place. The counts of the features and `unmapped` are together `total`' })
export class MapView {
  readonly #version: string
  readonly #made: { readonly answer: MapAnswer; readonly taxonomy: TaxonomyTree } | undefined

  /** @param made - undefined for somebody who only asks for the version */
  constructor(version: string, made?: { readonly answer: MapAnswer; readonly taxonomy: TaxonomyTree }) {
    this.#version = version
    this.#made = made
  }

  get #answer(): MapAnswer {
    if (this.#made === undefined) throw new Error('only the version of the map is known')
    return this.#made.answer
  }

  @Field(() => String, { description: 'Changes whenever an answer may' })
  get version(): string {
    return this.#version
  }

  @Field(() => DateTime, { description: 'The moment of that version' })
  get generatedAt(): Date {
    return this.#answer.at
  }

  @Field(() => Int, { description: 'Those that match in the area, and those that match but have no position' })
  get total(): number {
    return this.#answer.total
  }

  @Field(() => Int, { description: 'Those that match but have no position' })
  get unmapped(): number {
    return this.#answer.unmapped
  }

  @Field(() => Int, { description: 'The zoom of the cells: at most 64 tiles of it cover the area' })
  get zoom(): number {
    return this.#answer.zoom
  }

  @Field(() => Int, { nullable: true, description: 'The zoom that was asked for' })
  get requestedZoom(): number | null {
    return this.#answer.requestedZoom
  }

  @Field(() => String, { description: 'Whose place names were used' })
  get attribution(): string {
    return attribution
  }

  @Field(() => [MapFeature], { description: 'Clusters, then single expressions' })
  get features(): readonly (MapCluster | MapPoint)[] {
    return [...this.#answer.clusters.map(typeOfCluster), ...this.#answer.points.map((point) => typeOfPoint(point, this.#made?.taxonomy))]
  }

  @Field(() => String, { description: 'All of this as text of application/geo+json, which REST answers with: for those who draw maps' })
  get geoJson(): string {
    return geoJsonOf(this.#answer)
  }
}

function typeOfCluster(cluster: Cluster): MapCluster {
  const { id, lat, lon, count, expansionZoom, positive, neutral, negative, domains } = cluster
  return {
    tile: tileOf(id),
    lat,
    lon,
    pointCount: count,
    expansionZoom,
    sentiment: { positive, neutral, negative, score: scoreOf(cluster) },
    domains: domains.map(([domainId, many]) => ({ domainId, count: many })),
  }
}

function typeOfPoint(point: Point, taxonomy: TaxonomyTree | undefined): MapPoint {
  const { id, lat, lon, domain, subDomain, sentiment, lang, createdAt, agree, disagree, pass, unverified } = point
  const found = (wanted: string | null): RolledDomain | null => (wanted === null ? null : (taxonomy?.find(wanted) ?? null))
  const votes = figuresOfVotes({ agree, disagree, pass, unverified })
  return { lat, lon, expression: { id }, domain: found(domain), subDomain: found(subDomain), sentiment, lang, createdAt, votes }
}

export enum ChangeKind {
  CHANGED = 'changed',
  LAGGED = 'lagged',
}
registerEnumType(ChangeKind, {
  name: 'ChangeKind',
  description: 'CHANGED: what the event shows has changed; LAGGED: earlier events are gone, and what it shows is as it is now',
})

/** @param kind - as the feed has it */
export const changeKindOf = (kind: string): ChangeKind => (kind === 'lagged' ? ChangeKind.LAGGED : ChangeKind.CHANGED)

@ObjectType({ description: 'The statistics have changed' })
export class StatisticsChanged {
  @Field(() => Int, { description: 'Number of the event; give it as `after` to go on from here' })
  seq!: number
  @Field(() => ChangeKind, { description: 'What has happened' })
  kind!: ChangeKind
  @Field(() => Statistics, { description: 'The statistics as they are now' })
  statistics!: Statistics
}

@ObjectType({ description: 'The domains or their statistics have changed' })
export class DomainsChanged {
  @Field(() => Int, { description: 'Number of the event; give it as `after` to go on from here' })
  seq!: number
  @Field(() => ChangeKind, { description: 'What has happened' })
  kind!: ChangeKind
  @Field(() => DomainTaxonomy, { description: 'The domains as they are now' })
  taxonomy!: DomainTaxonomy
}

@ObjectType({ description: 'The map has changed' })
export class MapInvalidated {
  @Field(() => Int, { description: 'Number of the event; give it as `after` to go on from here' })
  seq!: number
  @Field(() => ChangeKind, { description: 'What has happened' })
  kind!: ChangeKind
  @Field(() => String, { description: 'What the map is now, at least' })
  version!: string
  @Field(() => [MapTile], { description: 'Where: tiles of one zoom' })
  tiles!: MapTile[]
}
