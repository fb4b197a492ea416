import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import type { Chapter } from '../../../engines/typesetting/typesetter.ts'
import { typstTypesetter } from '../../../engines/typesetting/typst-typesetter.ts'
import { type Bookmark, type OpenPdf, openPdf } from '../../support/samples/pdf.ts'

const templateFile = new URL('../../../engines/typesetting/publication.typ', import.meta.url).pathname
const limits = { templateFile, memoryBytes: 1_500_000_000, timeMs: 60_000 }
const at = new Date('2026-11-20T10:00:00Z')

const chapter = (depth: number, title: string, more: Partial<Chapter> = {}): Chapter => ({
  ...{ depth, title, summary: null, body: null, locale: null, media: [] },
  ...more,
})
async function* inPages(chapters: readonly Chapter[]): AsyncGenerator<readonly Chapter[]> {
  for (let from = 0; from < chapters.length; from += 100) yield chapters.slice(from, from + 100)
}

const arabic = 'الماء حق للجميع، وهو مسؤولية مشتركة.'
const magazine = [
  chapter(0, 'Le magazine', { locale: 'fr-SN', summary: 'Pour toutes et tous.', body: 'Bienvenue à l’accueil.' }),
  chapter(1, 'L’eau', {
    summary: 'D’où elle vient.',
    body: `## Contrôles\n\nElle est **pompée** et *filtrée*.\n\n- une\n- deux\n\n> Un bien commun.\n\n| Région | Prix |\n|---|--:|\n| Dakar | 202 |\n
\`\`\`\nlet x = 1\n\`\`\`\n\n#### Plus bas\n\n[ministère](https://example.org/eau) [mauvais](javascript:alert(1)) ![carte](https://example.org/carte.png)\n\n${arabic}`,
    media: [
      { url: 'https://example.org/forage.jpg', alt: 'Un forage', caption: null },
      { url: 'data:text/html,x', alt: null, caption: 'Rien' },
    ],
  }),
  chapter(2, 'Les forages', { body: 'Œuvre, cœur, naïveté, 20 °C, « guillemets », €.' }),
  chapter(1, 'المياه', { locale: 'ar', body: `${arabic}\n\nوفي النص كلمات بالفرنسية مثل Saint-Louis وأرقام 2026.` }),
]

describe('the typesetter', { timeout: 120_000 }, () => {
  const typesetter = typstTypesetter(limits)
  const bytesOf = (chapters: readonly Chapter[]) => typesetter.typeset({ at, chapters: inPages(chapters) }, AbortSignal.timeout(120_000))
  const pdfOf = async (chapters: readonly Chapter[]): Promise<OpenPdf> => openPdf(await bytesOf(chapters))
  const magazinePdf = bytesOf(magazine)
  const open = magazinePdf.then(openPdf)
  afterAll(() => typesetter.stop())

  it('creates a title page, contents with page numbers, and a bookmark for each node', async () => {
    const { texts, outline, pages } = await open
    expect([texts[0]?.trim(), pages]).toEqual(['Le magazine Pour toutes et tous. 20 novembre 2026', 5])
    const flat = (items: readonly Bookmark[]): unknown[] => items.map(({ title, page, items: inside }) => [title, page, ...flat(inside)])
    expect(flat(outline)).toEqual([
      ['L’eau', 4, ['Les forages', 4]],
      ['المياه', 5],
    ])
    expect(texts[1]).toMatch(/^Le magazine Table des matières L’eau [. ]+ 4 Les forages [. ]+ 4 /)
    expect(texts[2]).toContain('Bienvenue à l’accueil.')
  })

  it('tags the pages for assistive technology and declares this with the language (PDF/UA-1)', async () => {
    const { isTagged, language, xmp, roles } = await open
    expect([isTagged, language]).toEqual([true, 'fr-SN'])
    expect(xmp).toMatch(/<pdfuaid:part>1</)
    expect(roles[3]).toEqual(expect.arrayContaining(['H1', 'H2', 'H3', 'P', 'L', 'LI', 'BlockQuote', 'Table', 'TH', 'TD', 'Link']))
    expect(roles[1]).toEqual(expect.arrayContaining(['TOC', 'TOCI']))
  })

  it('prints French, Arabic and mixed text so that it can be searched and copied', async () => {
    const { texts } = await open
    expect(texts[3]).toContain('Œuvre, cœur, naïveté, 20 °C, « guillemets », €.')
    expect(texts[3]).toContain(arabic)
    expect(texts[4]).toContain(arabic)
    for (const part of ['وفي النص كلمات بالفرنسية مثل', 'Saint-Louis', 'وأرقام', '2026']) expect(texts[4]).toContain(part)
  })

  it('links to web addresses only, and fetches none', async () => {
    const { links, texts } = await open
    expect(links).toEqual(['https://example.org/eau', 'https://example.org/carte.png', 'https://example.org/forage.jpg'])
    for (const shown of ['carte', 'Un forage', 'Rien', 'data:text/html,x']) expect(texts[3]).toContain(shown)
  })

  it('prints the pictures that a text contains, with their descriptions, and the text of damaged ones', async () => {
    const pixels = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#2a7' } })
      .png()
      .toBuffer()
    const address = `data:image/png;base64,${pixels.toString('base64')}`
    const body = `Avant ![La carte](${address} "Une légende") après\n\n- ![](${address})\n\n![Abîmée](data:image/png;base64,AAAA)`
    const { texts, roles, links } = await pdfOf([chapter(0, 'Le magazine', { locale: 'fr', body })])
    expect(texts[1]).toContain('Avant Une légende après')
    expect(texts[1]).toContain('Abîmée')
    expect(texts.join()).not.toContain('data:')
    expect(roles[1]?.filter((role) => role === 'Figure')).toHaveLength(1)
    expect(links).toEqual([])
  })

  it('prints a heading on the page of what follows it', async () => {
    const line = 'L’eau de la commune est un bien commun. '
    const chapters = Array.from({ length: 60 }, (_, at) =>
      chapter(2, `TITRE ${at}`, { body: `${line.repeat(1 + ((at * 7) % 11))}\n\n## SOUS ${at}\n\n${line.repeat(1 + (at % 5))}` }),
    )
    const { texts, pages } = await pdfOf([chapter(0, 'Le magazine', { locale: 'fr' }), chapter(1, 'Début', { body: line }), ...chapters])
    expect(pages).toBeGreaterThan(12)
    // each page of text ends with its number
    const ends = texts.slice(texts.findIndex((text) => text.includes('Début') && text.includes(line.trim()))).map((text) => text.slice(-40))
    for (const end of ends) expect(end).not.toMatch(/(?:TITRE|SOUS) \d+ \d+$/)
  })

  it('produces the same bytes for the same publication', async () => {
    expect(Buffer.from(await bytesOf(magazine)).equals(await magazinePdf)).toBe(true)
  })

  it('prints Typst and HTML markup as text', async () => {
    const hostile = [
      '#panic("x") $ \\ ^_ @ref <label> == x',
      '#import "@preview/x:1.0.0"',
      '#read("/etc/passwd") #sys.inputs',
      '#set page(width: 1cm)',
      '<script>alert(1)</script>',
    ]
    const { texts, pages, outline } = await pdfOf([
      chapter(0, '#set page(fill: red)', { summary: '$ #emph[x] $' }),
      chapter(1, '= #pagebreak()', { body: hostile.map((line) => line.replace(/[\\_<]/g, '\\$&')).join('\n\n') }),
    ])
    expect([pages, outline[0]?.title, texts[0]]).toEqual([
      3,
      '= #pagebreak()',
      expect.stringContaining('#set page(fill: red) $ #emph[x] $'),
    ])
    for (const line of hostile) expect(texts[2]).toContain(line)
  })

  it('prints any text: every character, marks on any character, control characters, long words, deep nesting', async () => {
    const all = Array.from({ length: 0x1f000 >> 9 }, (_, block) =>
      Array.from({ length: 512 }, (_, code) => String.fromCodePoint(Math.max(1, 512 * block + code))).join(''),
    )
    const deep = `${'> '.repeat(400)}quoted\n\n${Array.from({ length: 60 }, (_, n) => `${' '.repeat(2 * n)}- item`).join('\n')}\n\nlast words`
    const wide = `|${'c|'.repeat(60)}\n|${'-|'.repeat(60)}\n|${'wwwwwwwwwwwwwwww|'.repeat(60)}`
    const { texts, outline } = await pdfOf([
      chapter(0, '\u0000\u202e', { locale: 'x-private', summary: ' ' }),
      ...all.map((text) => chapter(1, text.replace(/[\r\n]/g, '').slice(0, 40), { body: `${text}\n\n\`\`\`\n${text}` })),
      chapter(1, 'W'.repeat(500), { locale: 'not a language', body: `${deep}\n\n${wide}\n\n\u4e2d\u6587 e\u0301\u0489 \ud83d\ude00` }),
    ])
    const text = texts.join(' ')
    for (const shown of ['quoted', 'last words', 'W'.repeat(12), '\ufffd\ufffd', '\ud83d\ude00']) expect(text).toContain(shown)
    expect(outline).toHaveLength(all.length + 1)
  })

  it('accepts a tree of any depth; below the sixth level headings do not change', async () => {
    const { outline, texts } = await pdfOf(
      Array.from({ length: 1500 }, (_, depth) => chapter(depth, `T${depth}`, { body: '### Plus\n\nx' })),
    )
    const depthOf = (items: readonly Bookmark[]): number =>
      items.length === 0 ? 0 : 1 + Math.max(...items.map((item) => depthOf(item.items)))
    expect([depthOf(outline), texts.join(' ').includes('T1499')]).toEqual([6, true])
  })

  const long = Array.from({ length: 3000 }, (_, n) => chapter(Math.min(n, 1), `T${n}`, { body: 'Des mots. '.repeat(100) }))
  it.each([
    ['time', { timeMs: 700 }],
    ['memory', { memoryBytes: 250_000_000 }],
  ])('rejects a document beyond the %s limit, and continues with others', async (limitName, limit) => {
    const bounded = typstTypesetter({ ...limits, ...limit, concurrency: 1 })
    const signal = AbortSignal.timeout(120_000)
    const [refused, small] = await Promise.allSettled([
      bounded.typeset({ at, chapters: inPages(long) }, signal),
      limitName === 'time' ? magazinePdf : bounded.typeset({ at, chapters: inPages(magazine) }, signal),
    ])
    expect(refused).toMatchObject({ reason: { code: 'TOO_LARGE', message: expect.stringContaining(`${limitName} limit`) } })
    expect(small.status).toBe('fulfilled')
    await bounded.stop()
  })

  it('queues few documents of one client, and typesets those of another client before them', async () => {
    const turns = typstTypesetter({ ...limits, concurrency: 1 })
    const disconnecting = new AbortController()
    const done: string[] = []
    const typeset = (address: string): Promise<unknown> =>
      turns.typeset({ at, chapters: inPages([chapter(0, 'T')]) }, disconnecting.signal, address).then(() => done.push(address))
    const flood = Promise.allSettled(Array.from({ length: 9 }, () => typeset('203.0.113.7')))
    await expect(typeset('203.0.113.7')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await typeset('203.0.113.8')
    expect(done.length).toBeLessThanOrEqual(3)
    disconnecting.abort(new Error('disconnected'))
    await flood
    await turns.stop()
  })

  it('is aborted by its caller, and reports why its source failed', async () => {
    const disconnecting = new AbortController()
    const aborted = typesetter.typeset({ at, chapters: inPages(long) }, disconnecting.signal)
    setTimeout(() => disconnecting.abort(new Error('disconnected')), 300)
    await expect(aborted).rejects.toThrow('disconnected')
    const broken = async function* (): AsyncGenerator<readonly Chapter[]> {
      yield magazine
      throw new Error('the store is unavailable')
    }
    await expect(typesetter.typeset({ at, chapters: broken() }, AbortSignal.timeout(120_000))).rejects.toThrow('the store is unavailable')
    const stopped = typstTypesetter(limits)
    const running = stopped.typeset({ at, chapters: inPages(long) }, AbortSignal.timeout(120_000))
    const failed = expect(running).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    await stopped.stop()
    await failed
  })
})
