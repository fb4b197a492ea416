import pg from 'pg'

const domains = 14
const subDomains = 4
/** expressions inserted by one statement */
const chunk = 50_000

/** Generates a database of expressions: places in clusters like towns, two years, six languages, votes on one in ten. */
export async function fill(database: string, expressions: number, places: number): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    await client.query(taxonomy)
    await client.query(`select setseed(0.42)`)
    // 400 towns; a tenth of them have most expressions
    await client.query(`create table bench_place as
      select n, least(84.9, greatest(-60, c.lat + (random() + random() - 1) * 6)) as lat,
        least(179.9, greatest(-179.9, c.lon + (random() + random() - 1) * 8)) as lon
      from generate_series(0, ${places - 1}) n
      join (select k, random() * 110 - 50 as lat, random() * 320 - 160 as lon from generate_series(0, 399) k) c on c.k = n % 400`)
    await client.query('create index on bench_place (n)')
    for (let from = 0; from < expressions; from += chunk)
      await client.query(expressionsFrom(from, Math.min(expressions, from + chunk) - 1, places))
    await client.query(`insert into vote (expression_id, voter, value, verified)
      select id, decode(md5(id::text || v), 'hex'), (array['agree', 'disagree', 'pass'])[1 + v % 3], v < 3
      from expression, generate_series(1, 3) v where ascii(substr(id::text, 36, 1)) % 10 = 0`)
    await client.query('drop table bench_place')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

const taxonomy = `insert into domain (id, parent_id, slug, position, labels, examples, words, revision)
  select 'd' || d, null, 'd' || d, d, '{"en": "Domain"}'::jsonb, '{}'::jsonb, '{}'::jsonb, 'r' from generate_series(1, ${domains}) d
  union all select 'd' || d || '/s' || s, 'd' || d, 's' || s, s, '{"en": "Sub-domain"}', '{}', '{}', 'r'
  from generate_series(1, ${domains}) d, generate_series(1, ${subDomains}) s`

const expressionsFrom = (from: number, to: number, places: number): string => `
  insert into expression (id, source, text, lang, author, domain, sub_domain, sentiment, sentiment_score, lat, lon, created_at, received_at,
    enrichment, revision)
  select gen_random_uuid(), 'bench', 'A citizen describes a problem of the neighbourhood in one or two sentences', e.lang,
    decode(md5((e.n % 300000)::text), 'hex'), e.domain, e.domain || '/s' || (1 + floor(random() * ${subDomains}))::int, e.tone, 0, p.lat, p.lon, e.at, e.at, '{}', ''
  from (
    select n, (array['fr', 'fr', 'fr', 'en', 'en', 'ar', 'wo', 'es', 'und'])[1 + floor(random() * 9)::int] as lang,
      'd' || (1 + floor(random() * random() * ${domains}))::int as domain,
      (array['positive', 'neutral', 'negative', 'negative', null])[1 + floor(random() * 5)::int] as tone,
      now() - random() * interval '730 days' as at, floor(power(random(), 2) * ${places})::int as place
    from generate_series(${from}, ${to}) n
  ) e left join bench_place p on p.n = e.place and e.n % 20 <> 0`
