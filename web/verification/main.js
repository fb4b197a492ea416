/** The page of component A: a verification from the form to its acknowledged result. */

import { offerDrawnCitizens } from './drawn-citizens.js'
import { previewImages, problemsOfForm, problemsOfRefusal, readJob, showProblems } from './form.js'
import { followQueue } from './queue-metrics.js'
import { element, resultView } from './result.js'
import { acknowledge, Refusal, resultOf, statusOf, submit } from './service.js'
import { outcomes } from './words.js'

const [form, send, steps, status, result] = ['submission', 'send', 'steps', 'status', 'result'].map((id) => document.getElementById(id))
const pollMs = 700
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Says what is going on; a screen reader hears it when it changes. */
function say(text) {
  if (status.textContent !== text) status.textContent = text
}

/** Marks one step as the present one, those before it as done. */
function reach(step) {
  const all = [...steps.children]
  const now = all.findIndex((each) => each.dataset.of === step)
  for (const [index, each] of all.entries()) {
    if (now < 0 || index > now) delete each.dataset.step
    else each.dataset.step = index < now || step === 'finished' ? 'done' : 'now'
    if (index === now && step !== 'finished') each.setAttribute('aria-current', 'step')
    else each.removeAttribute('aria-current')
  }
}

/** Polls a job's status until it is final. Something that is away for a moment is asked again, other refusals end it. */
async function untilFinished(key, id, place) {
  for (let misses = 0; ; await sleep(pollMs)) {
    try {
      const { status: state } = await statusOf(key, id)
      misses = 0
      if (state === 'completed' || state === 'error') return
      reach(state)
      say(state === 'queued' ? `Waiting, at place ${place.queue_position} when it was accepted.` : 'Being verified.')
    } catch (error) {
      if (!(error instanceof Refusal) || ![0, 429, 503].includes(error.status) || ++misses > 20) throw error
      say('The service does not answer just now; asking again.')
    }
  }
}

function acknowledgement(key, id) {
  const button = element('button', { class: 'button', type: 'button' }, 'Acknowledge the result')
  const note = element('span', { role: 'status' }, 'It stays on the service until then.')
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      const { acked } = await acknowledge(key, id)
      note.textContent = acked === 1 ? 'Acknowledged: the service has erased it.' : 'It was acknowledged before.'
    } catch (error) {
      note.textContent = error.message
      button.disabled = false
    }
  })
  return element('p', { class: 'row' }, button, note)
}

async function verify(key) {
  reach('sent')
  say('Sending.')
  const job = await readJob()
  const accepted = await submit(key, job)
  reach('queued')
  await untilFinished(key, accepted.job_id, accepted)
  const found = await resultOf(key, accepted.job_id)
  reach('finished')
  if (found === undefined) {
    say('Finished. More than 1,000 older results wait for this key: acknowledge those first, then this one comes up.')
    return
  }
  say(`Finished: ${(outcomes[found.outcome]?.title ?? found.outcome).toLowerCase()}.`)
  result.replaceChildren(...resultView(found, acknowledgement(key, accepted.job_id)))
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const problems = problemsOfForm()
  showProblems(problems)
  if (problems.length > 0 || send.disabled) return
  send.disabled = true
  result.replaceChildren()
  document.getElementById('progress-title').textContent = 'Your verification'
  document.getElementById('progress').scrollIntoView({ block: 'nearest' })
  try {
    await verify(document.getElementById('api-key').value)
  } catch (error) {
    reach(undefined)
    say('')
    showProblems(error instanceof Refusal ? problemsOfRefusal(error) : [{ text: `The images could not be read: ${error.message}` }])
  } finally {
    send.disabled = false
  }
})

previewImages()
followQueue()
offerDrawnCitizens(() => form.requestSubmit())
