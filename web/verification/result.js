/** A JobResult as people read it. */
import * as words from './words.js'

/** An element with attributes and children; text goes in as text, never as markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/**
 * @param {Node} action - what can be done with the result, after its reasons
 * @returns {Node[]} the outcome and its reasons, scores, checks, and the answer as it came
 */
export function resultView(result, action) {
  const { state, title, about } = words.outcomes[result.outcome] ?? { state: '', title: result.outcome, about: '' }
  return [
    element('div', { class: 'outcome', 'data-state': state }, element('h3', {}, title), element('p', {}, about)),
    ...reasonsView(result),
    action,
    ...scoresView(result.scores),
    ...checksView(result.cross_validations),
    element('h4', {}, 'The job'),
    element(
      'dl',
      { class: 'facts' },
      ...fact('Number', result.job_id),
      ...fact('Citizen', result.citizen_code),
      ...fact('Finished', new Date(result.completed_at).toLocaleString()),
      ...fact('Took', `${(result.processing_time_ms / 1000).toFixed(1)} s`),
    ),
    element('details', {}, element('summary', {}, 'The answer as it came'), rawView(result)),
  ]
}

const fact = (name, value) => [element('dt', {}, name), element('dd', {}, value)]

function rawView(result) {
  return element('pre', { tabindex: '0', role: 'region', 'aria-label': 'The answer as it came' }, JSON.stringify(result, null, 2))
}

function reasonsView({ failure_reason: failure, cross_validations: { reasons = [] } }) {
  const sentences = failure ? [words.sentenceOf(failure)] : reasons.map((code) => words.reasons[code] ?? words.spaced(code))
  if (sentences.length === 0) return []
  return [
    element('h4', {}, sentences.length === 1 ? 'The reason' : 'The reasons'),
    element('ul', {}, ...sentences.map((text) => element('li', {}, text))),
  ]
}

function scoresView(scores) {
  const known = Object.keys(words.scores).filter((name) => name in scores)
  const names = [...known, ...Object.keys(scores).filter((name) => !known.includes(name))]
  if (names.length === 0) return []
  const rows = names.map((name) => {
    const value = scores[name]
    const percent = `${Math.round(value * 100)} %`
    const bar = element('meter', { min: '0', max: '1', value: String(value), 'aria-hidden': 'true' })
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, words.scores[name] ?? words.spaced(name)),
      element('td', {}, element('span', { class: 'score' }, bar, percent)),
    )
  })
  return [element('h4', {}, 'Scores'), table(['Score', 'Of 100 %'], element('tbody', {}, ...rows))]
}

/** A group is a check itself, or holds checks by name. */
function checksView({ reasons: _, ...groups }) {
  const bodies = Object.entries(groups).map(([group, content]) => {
    const title = words.groups[group] ?? words.spaced(group)
    if ('result' in content) return element('tbody', {}, checkRow(title, content, 'group'))
    const head = element('tr', { class: 'group' }, element('th', { scope: 'rowgroup', colspan: '2' }, title))
    return element('tbody', {}, head, ...Object.entries(content).map(([name, check]) => checkRow(words.spaced(name), check)))
  })
  return bodies.length === 0 ? [] : [element('h4', {}, 'Checks'), table(['Check', 'Finding'], ...bodies)]
}

function checkRow(title, check, kind = '') {
  const { state, title: finding } = words.checks[check.result] ?? { state: '', title: check.result }
  const particulars = [
    ...describe(check),
    ...Object.entries(check.breakdown ?? {}).flatMap(([name, part]) => describe(part, `${words.spaced(name)}: `)),
  ]
  const name = element('th', { scope: 'row' }, title)
  if (particulars.length > 0) {
    name.append(
      element(
        'details',
        { class: 'quiet' },
        element('summary', {}, 'Particulars', element('span', { class: 'unseen' }, ` of ${title}`)),
        ...particulars,
      ),
    )
  }
  return element('tr', { class: kind }, name, element('td', {}, element('span', { class: 'state', 'data-state': state }, finding)))
}

/** The properties of a check, a line each; of a part of a check also what was found. */
function describe({ result, properties = {} }, before = '') {
  const texts = Object.entries(properties).map(([key, value]) => `${words.spaced(key).toLowerCase()} ${value}`)
  if (before === '' && texts.length === 0) return []
  const found = before === '' ? [] : [(words.checks[result]?.title ?? result).toLowerCase()]
  return [element('div', {}, before + [...found, ...texts].join(', '))]
}

function table(heads, ...bodies) {
  const head = element('tr', {}, ...heads.map((text) => element('th', { scope: 'col' }, text)))
  return element('table', {}, element('thead', {}, head), ...bodies)
}
