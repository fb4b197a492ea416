/** The reader: walks a tenant's tree, one text at a time. */
import { byId, say } from '/pages/element.js'
import { addressOf, followLinks, go, place } from './address.js'
import { showArticle, showCards, showTrail, showTurn } from './article.js'
import { Contents } from './contents.js'
import { showDownloads } from './downloads.js'
import { Refused, readNode } from './service.js'
import { followLanguages, momentText, translatePage, word } from './words.js'

translatePage()
followLanguages((lang) => addressOf(place().id, place().tenant, lang))
followLinks()
say(byId('imprint'), word('imprint'))

const tenantShape = /^[a-z0-9-]{1,63}$/
const narrow = matchMedia('(max-width: 60rem)')
byId('contents').open = !narrow.matches
narrow.addEventListener('change', () => {
  byId('contents').open = !narrow.matches
})

let running
let shownTenant
let rest

/** @param {object} view - says whether what is shown comes from the store */
function noteSource({ source, snapshotAt }) {
  byId('snapshot').hidden = source !== 'snapshot'
  if (source === 'snapshot') say(byId('snapshot'), word('snapshot', { moment: momentText(snapshotAt) }))
}

function noteFailure(error) {
  const { id } = place()
  const sentence = error instanceof Refused && error.status === 404 ? (id === undefined ? 'empty' : 'absent') : 'failed'
  byId('failure').hidden = false
  say(byId('failure-text'), word(sentence))
  say(byId('again'), word(sentence === 'absent' ? 'start' : 'again'))
  byId('again').dataset.to = sentence === 'absent' ? 'start' : 'again'
  return sentence
}

const contents = new Contents(byId('tree'), async (id, after) => {
  try {
    const view = await readNode(place().tenant, id, undefined, after)
    noteSource(view)
    byId('failure').hidden = true
    return view
  } catch (error) {
    noteFailure(error)
    throw error
  }
})

/** @param {boolean} isFollowed - whether somebody has come by a link: then the title takes the focus */
async function show(isFollowed) {
  running?.abort()
  const own = new AbortController()
  running = own
  const { tenant, id } = place()
  byId('tenant').value = tenant || 'default'
  byId('sheet').setAttribute('aria-busy', 'true')
  try {
    const view = await readNode(tenant, id, own.signal)
    if (running !== own) return
    if (shownTenant !== tenant) contents.forget()
    shownTenant = tenant
    const { node, children, next } = view
    byId('failure').hidden = true
    byId('sheet').hidden = false
    noteSource(view)
    document.title = `${node.title} · Civigraph`
    showTrail(view)
    const heading = showArticle(node)
    rest = { id: node.id, tenant, next }
    showCards(children, next, true)
    showTurn([])
    showDownloads(tenant, node)
    if (isFollowed) {
      if (narrow.matches) byId('contents').open = false
      scrollTo(0, 0)
      heading.focus({ preventScroll: true })
    }
    await contents.show(view)
    if (running === own) showTurn(contents.beside(node, node.parent_id))
  } catch (error) {
    if (running !== own || own.signal.aborted) return
    if (!(error instanceof Refused)) throw error
    const sentence = noteFailure(error)
    if (sentence !== 'failed') byId('sheet').hidden = true
    if (sentence === 'empty') contents.forget()
    if (sentence === 'absent') await offerTree(tenant)
  } finally {
    if (running === own) byId('sheet').removeAttribute('aria-busy')
  }
}

/** Where a text is missing, the others can still be found. */
async function offerTree(tenant) {
  const view = await readNode(tenant, undefined).catch(() => undefined)
  if (view === undefined || place().tenant !== tenant) return
  if (shownTenant !== tenant) contents.forget()
  shownTenant = tenant
  await contents.show(view, false)
}

byId('more').addEventListener('click', async () => {
  const { id, tenant, next } = rest
  try {
    const view = await readNode(tenant, id, undefined, next)
    if (rest.id !== id) return
    rest = { id, tenant, next: view.next }
    byId('failure').hidden = true
    showCards(view.children, view.next, false)?.focus()
  } catch (error) {
    noteFailure(error)
  }
})

byId('again').addEventListener('click', ({ currentTarget }) => {
  if (currentTarget.dataset.to === 'start') go(addressOf(undefined))
  else show(true)
})

byId('tenant-form').addEventListener('submit', (event) => {
  event.preventDefault()
  const wanted = byId('tenant').value.trim()
  const isName = tenantShape.test(wanted)
  byId('tenant-problem').hidden = isName
  byId('tenant').setAttribute('aria-describedby', isName ? 'tenant-hint' : 'tenant-hint tenant-problem')
  if (isName) byId('tenant').removeAttribute('aria-invalid')
  else byId('tenant').setAttribute('aria-invalid', 'true')
  if (isName) go(addressOf(undefined, wanted === 'default' ? '' : wanted))
  else byId('tenant').focus()
})

addEventListener('place', () => show(true))
addEventListener('popstate', () => show(true))
await show(false)
