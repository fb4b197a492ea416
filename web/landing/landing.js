/** The health of every component on the landing page, asked anew every few seconds while the page is looked at. */

const everyMs = 5000
const patienceMs = 4000

const words = {
  OK: ['good', 'Working', 'is working'],
  DEGRADED: ['warn', 'Degraded', 'works with something missing'],
  DOWN: ['bad', 'Down', 'is down'],
  SILENT: ['bad', 'No answer', 'does not answer'],
}

const items = [...document.querySelectorAll('[data-component]')]
const summary = document.querySelector('#summary')

// A request each: one component that is away must not hide the others.
async function healthOf(component) {
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        query: `query LandingHealth { health: ${component}Health { status version checks { name status engine latencyMs } } }`,
      }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const { data } = await response.json()
    return data?.health ?? { status: 'SILENT', checks: [] }
  } catch {
    return { status: 'SILENT', checks: [] }
  }
}

function show(item, { status, checks }) {
  const [state, word] = words[status]
  const badge = item.querySelector('.state')
  badge.dataset.state = state
  badge.textContent = word
  item.querySelector('.checks').replaceChildren(
    ...checks.map((check) => {
      const line = document.createElement('li')
      const well = check.status === 'OK'
      line.dataset.state = well ? 'good' : 'bad'
      line.textContent = `${check.name.replaceAll('_', ' ')}: ${well ? `${check.engine}, ${Math.max(1, Math.round(check.latencyMs))} ms` : 'down'}`
      return line
    }),
  )
}

/** One sentence, written only when it differs: a screen reader hears changes, not every round. */
function summarise(healths) {
  const ill = healths.flatMap(({ status }, index) =>
    status === 'OK' ? [] : [`${items[index].querySelector('.name').textContent} ${words[status][2]}`],
  )
  const sentence = healths.every(({ status }) => status === 'SILENT')
    ? 'The gateway does not answer.'
    : ill.length === 0
      ? `All ${items.length} components are working.`
      : `${ill.join('; ')}.`
  if (summary.textContent !== sentence) summary.textContent = sentence
}

async function refresh() {
  if (!document.hidden) {
    const healths = await Promise.all(items.map((item) => healthOf(item.dataset.component)))
    for (const [index, item] of items.entries()) show(item, healths[index])
    summarise(healths)
  }
  setTimeout(refresh, everyMs)
}

refresh()
