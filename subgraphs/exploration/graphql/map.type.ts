import { createUnionType, Field, Float, Int, ObjectType } from 'type-graphql'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { FeedPosition } from '../../../foundation/graphql/event-position.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { type MapCluster as Cluster, type MapAnswer, type MapPoint as Point, scoreOf } from '../queries/map-view.ts'
import type { TaxonomyTree } from '../queries/taxonomy-tree.ts'
import { figuresOfVotes } from '../queries/vote-tally.ts'
import type { RolledDomain } from '../tables.ts'
import { Domain, DomainTaxonomy, SentimentCounts, SentimentLabel, Statistics, VoteCounts, VotedExpression } from './exploration.type.ts'
import { attribution, geoJsonOf } from './geo-json.ts'

@ObjectType({ description: 'A tile of the map.' })
export class MapTile {
  @Field(() => Int, { description: 'Zoom level.' })
  zoom!: number
  @Field(() => Int, { description: 'Column, counted from the west.' })
  column!: number
  @Field(() => Int, { description: 'Row, counted from the north.' })
  row!: number
}

/** @param name - `zoom/column/row` */
export function tileOf(name: string): MapTile {
  const [zoom = 0, column = 0, row = 0] = name.split('/').map(Number)
  return { zoom, column, row }
}

@ObjectType({ description: 'Number of expressions in a domain.' })
export class DomainCount {
  @Field(() => Int, { description: 'Number of expressions.' })
  count!: number
  domainId!: string
}

@ObjectType({ description: 'Nearby expressions, shown as one feature.' })
export class MapCluster {
  @Field(() => MapTile, { description: 'The tile that contains the expressions; unique among the clusters of a map.' })
  tile!: MapTile
  @Field(() => Float, { description: 'Mean latitude of the expressions in degrees north (WGS 84).' })
  lat!: number
  @Field(() => Float, { description: 'Mean longitude of the expressions in degrees east (WGS 84).' })
  lon!: number
  @Field(() => Int, { description: 'Number of expressions.' })
  pointCount!: number
  @Field(() => Int, { description: 'Lowest zoom at which the cluster may separate.' })
  expansionZoom!: number
  @Field(() => SentimentCounts, { description: 'Sentiment of the expressions.' })
  sentiment!: SentimentCounts
  @Field(() => [DomainCount], { description: 'Number of expressions by domain; expressions without a domain are not counted.' })
  domains!: DomainCount[]
}

@ObjectType({ description: 'An expression at its location.' })
export class MapPoint {
  @Field(() => Float, { description: 'Latitude in degrees north (WGS 84).' })
  lat!: number
  @Field(() => Float, { description: 'Longitude in degrees east (WGS 84).' })
  lon!: number
  @Field(() => VotedExpression, { description: 'The expression.' })
  expression!: VotedExpression
  @Field(() => Domain, {
    nullable: true,
    description: 'The domain; null when the expression has none or the taxonomy no longer contains it.',
  })
  domain!: RolledDomain | null
  @Field(() => Domain, {
    nullable: true,
    description: 'The sub-domain; null when the expression has none or the taxonomy no longer contains it.',
  })
  subDomain!: RolledDomain | null
  @Field(() => SentimentLabel, { nullable: true, description: 'Sentiment of the expression; null when it has none.' })
  sentiment!: `${SentimentLabel}` | null
  @Field(() => String, { description: 'Language of the expression; `und` when unknown.' })
  lang!: string
  @Field(() => DateTime, { description: 'Time of the statement.' })
  createdAt!: Date
  @Field(() => VoteCounts, { description: 'Votes on the expression.' })
  votes!: VoteCounts
}

const MapFeature = createUnionType({
  name: 'MapFeature',
  description: 'A feature of the map.',
  types: () => [MapCluster, MapPoint] as const,
  resolveType: (value) => ('pointCount' in value ? MapCluster : MapPoint),
})

@ObjectType({ description: 'Expressions by location. The counts of all features and `unmapped` add up to `total`.' })
export class MapView {
  readonly #version: string
  readonly #made: { readonly answer: MapAnswer; readonly taxonomy: TaxonomyTree } | undefined

  /** @param made - undefined when only the version is selected */
  constructor(version: string, made?: { readonly answer: MapAnswer; readonly taxonomy: TaxonomyTree }) {
    this.#version = version
    this.#made = made
  }

  get #answer(): MapAnswer {
    if (this.#made === undefined) throw new Error('the view contains only the version of the map')
    return this.#made.answer
  }

  @Field(() => String, { description: 'Version of the data; changes whenever the map may have changed.' })
  get version(): string {
    return this.#version
  }

  @Field(() => DateTime, { description: 'Time at which this version of the data was current.' })
  get generatedAt(): Date {
    return this.#answer.at
  }

  @Field(() => Int, { description: 'Number of matching expressions in the area, plus those without a location.' })
  get total(): number {
    return this.#answer.total
  }

  @Field(() => Int, { description: 'Number of matching expressions without a location.' })
  get unmapped(): number {
    return this.#answer.unmapped
  }

  @Field(() => Int, { description: 'Zoom of the grid that groups expressions: at most 64 of its tiles cover the area.' })
  get zoom(): number {
    return this.#answer.zoom
  }

  @Field(() => Int, { nullable: true, description: 'The requested zoom; null when none was requested.' })
  get requestedZoom(): number | null {
    return this.#answer.requestedZoom
  }

  @Field(() => String, { description: 'Attribution of the place names.' })
  get attribution(): string {
    return attribution
  }

  @Field(() => [MapFeature], { description: 'Clusters, followed by single expressions.' })
  get features(): readonly (MapCluster | MapPoint)[] {
    return [...this.#answer.clusters.map(typeOfCluster), ...this.#answer.points.map((point) => typeOfPoint(point, this.#made?.taxonomy))]
  }

  @Field(() => String, {
    description:
      'The map as text in application/geo+json, as the REST interface returns it; `features` has the same data as typed objects.',
  })
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
  const domainOf = (wanted: string | null): RolledDomain | null => (wanted === null ? null : (taxonomy?.find(wanted) ?? null))
  const votes = figuresOfVotes({ agree, disagree, pass, unverified })
  return { lat, lon, expression: { id }, domain: domainOf(domain), subDomain: domainOf(subDomain), sentiment, lang, createdAt, votes }
}

export enum ChangeKind {
  CHANGED = 'changed',
  LAGGED = 'lagged',
}
registerEnum(ChangeKind, {
  name: 'ChangeKind',
  description: 'Kind of a change event.',
  values: {
    CHANGED: 'The object of the event has changed.',
    LAGGED: 'Earlier events are no longer available; the event has the current state.',
  },
})

/** @param kind - as in the feed */
export const changeKindOf = (kind: string): ChangeKind => (kind === 'lagged' ? ChangeKind.LAGGED : ChangeKind.CHANGED)

@ObjectType({ description: 'An event of `statisticsChanged`.' })
export class StatisticsChanged extends FeedPosition {
  @Field(() => ChangeKind, { description: 'Kind of the event.' })
  kind!: ChangeKind
  @Field(() => Statistics, { description: 'The current statistics.' })
  statistics!: Statistics
}

@ObjectType({ description: 'An event of `votesChanged`.' })
export class VotesChanged extends FeedPosition {
  @Field(() => ChangeKind, { description: 'Kind of the event.' })
  kind!: ChangeKind
  @Field(() => VotedExpression, {
    nullable: true,
    description: 'The expression with its current votes; null when the kind is LAGGED: read the votes again.',
  })
  expression!: VotedExpression | null
}

@ObjectType({ description: 'An event of `domainsChanged`.' })
export class DomainsChanged extends FeedPosition {
  @Field(() => ChangeKind, { description: 'Kind of the event.' })
  kind!: ChangeKind
  @Field(() => DomainTaxonomy, { description: 'The current domains.' })
  taxonomy!: DomainTaxonomy
}

@ObjectType({ description: 'An event of `mapInvalidated`.' })
export class MapInvalidated extends FeedPosition {
  @Field(() => ChangeKind, { description: 'Kind of the event.' })
  kind!: ChangeKind
  @Field(() => String, { description: 'Oldest version of the map that contains the change.' })
  version!: string
  @Field(() => [MapTile], { description: 'The tiles that changed, all of one zoom.' })
  tiles!: MapTile[]
}
