import { GraphQLScalarType } from 'graphql'
import { rfc3339 } from '../../../foundation/clock.ts'
import { type MapAnswer, type MapCluster, type MapPoint, scoreOf } from '../queries/map-view.ts'

/** GeoJSON as a value of the response, not as text in it. */
export const GeoJson = new GraphQLScalarType<unknown>({
  name: 'GeoJson',
  description: 'A GeoJSON object (RFC 7946).',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7946',
  serialize: (value) => value,
})

/** attribution for positions that the gazetteer resolved */
export const attribution = 'Places: GeoNames (https://www.geonames.org), CC BY 4.0'

/** Returns the map as `application/geo+json` text (RFC 7946); the documented members beside the features are foreign members. */
export function geoJsonOf({ clusters, points, total, unmapped, zoom, requestedZoom, at }: MapAnswer): string {
  const features = [...clusters.map(clusterFeature), ...points.map(pointFeature)].join(',')
  const members = { total, unmapped, zoom, requested_zoom: requestedZoom, attribution, generated_at: rfc3339(at) }
  return `{"type":"FeatureCollection","features":[${features}],${JSON.stringify(members).slice(1)}`
}

const feature = (lon: number, lat: number, properties: string): string =>
  `{"type":"Feature","geometry":{"type":"Point","coordinates":[${lon},${lat}]},"properties":{${properties}}}`

/** Domain ids as JSON strings, cached because they are few and frequent. */
const quotes = new Map<string, string>()
function quoted(id: string): string {
  let text = quotes.get(id)
  if (text === undefined) {
    text = JSON.stringify(id)
    if (quotes.size < maxQuotes) quotes.set(id, text)
  }
  return text
}
const maxQuotes = 10_000

function clusterFeature(cluster: MapCluster): string {
  const { id, lon, lat, count, expansionZoom, positive, neutral, negative, domains } = cluster
  let byDomain = ''
  for (const [domain, many] of domains) byDomain += `${byDomain === '' ? '' : ','}${quoted(domain)}:${many}`
  return feature(
    lon,
    lat,
    `"cluster":true,"cluster_id":"${id}","point_count":${count},"expansion_zoom":${expansionZoom},` +
      `"sentiment":{"positive":${positive},"neutral":${neutral},"negative":${negative},"score":${scoreOf(cluster)}},"domains":{${byDomain}}`,
  )
}

function pointFeature({
  id,
  lon,
  lat,
  domain,
  subDomain,
  sentiment,
  lang,
  createdAt,
  agree,
  disagree,
  pass,
  unverified,
}: MapPoint): string {
  const properties = {
    cluster: false,
    id,
    domain,
    sub_domain: subDomain,
    sentiment,
    lang,
    created_at: rfc3339(createdAt),
    votes: { agree, disagree, pass },
    unverified_votes: unverified,
  }
  return feature(lon, lat, JSON.stringify(properties).slice(1, -1))
}
