/** The form: what is in it, and what is wrong with it. */

import { fitting, largestImage } from './photograph.js'

const byId = (id) => document.getElementById(id)

/** Which member of the request each field fills, as a refusal of the service names it. */
const members = {
  'api-key': 'header.X-Service-API-Key',
  'first-name': 'body.declared_identity.first_name',
  'last-name': 'body.declared_identity.last_name',
  'date-of-birth': 'body.declared_identity.date_of_birth',
  'citizen-code': 'body.citizen_code',
  gender: 'body.declared_identity.gender',
  nationality: 'body.declared_identity.nationality',
  priority: 'body.priority',
  'callback-url': 'body.callback_url',
  'document-type': 'body.document_type',
  country: 'body.country_code',
  selfie: 'body.selfie_b64',
  'document-front': 'body.cni_recto_b64',
  'document-back': 'body.cni_verso_b64',
}

/** The text of a label without what stands in it in brackets. */
const nameOf = (id) => document.querySelector(`label[for="${id}"]`).firstChild.textContent.trim()

/** The content of a chosen photograph as base64, made smaller where it must be; null when none is chosen. */
async function base64Of({ files: [file] }) {
  if (file === undefined) return null
  const photograph = await fitting(file)
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(photograph)
  })
}

/** @returns {{field: string, text: string}[]} what can be seen to be wrong before anything is sent */
export function problemsOfForm() {
  return Object.keys(members).flatMap((field) => {
    const input = byId(field)
    if (input.validity.valueMissing) {
      const verb = input.type === 'file' ? 'Choose an image for' : 'Fill in'
      return [{ field, text: `${verb}: ${nameOf(field)}` }]
    }
    if (!input.validity.valid) return [{ field, text: `${nameOf(field)}: ${input.validationMessage}` }]
    // A header holds no other characters; the browser would refuse to send it.
    if (field === 'api-key' && !/^[\x20-\x7e]+$/.test(input.value))
      return [{ field, text: 'API key: only letters, digits and signs of ASCII' }]
    return []
  })
}

/** The problems that a refusal names, each at its field where it has one. */
export function problemsOfRefusal({ status, message, entries }) {
  if (status === 401 || status === 403) return [{ field: 'api-key', text: message }]
  if (entries.length === 0) return [{ text: message }]
  return entries.map(({ loc, msg }) => {
    const path = loc.join('.')
    const field = Object.keys(members).find((id) => members[id] === path)
    return { field, text: `${field === undefined ? path : nameOf(field)}: ${msg} (${path})` }
  })
}

/** The SubmitJobRequest of the form. Rejects when a chosen file cannot be read. */
export async function readJob() {
  const value = (id) => byId(id).value.trim()
  const [selfie, front, back] = await Promise.all(['selfie', 'document-front', 'document-back'].map((id) => base64Of(byId(id))))
  return {
    citizen_code: value('citizen-code'),
    document_type: value('document-type'),
    country_code: value('country').toUpperCase(),
    selfie_b64: selfie,
    cni_recto_b64: front,
    cni_verso_b64: back,
    declared_identity: {
      first_name: value('first-name'),
      last_name: value('last-name'),
      date_of_birth: value('date-of-birth') || null,
      gender: value('gender') || null,
      nationality: value('nationality').toUpperCase() || null,
    },
    priority: value('priority'),
    ...(value('callback-url') !== '' && { callback_url: value('callback-url') }),
  }
}

/** Puts a SubmitJobRequest into the form, as if somebody had typed it and chosen its images. */
export function fillJob(job) {
  const { declared_identity: said } = job
  const values = {
    'citizen-code': job.citizen_code,
    'document-type': job.document_type,
    country: job.country_code,
    'first-name': said.first_name,
    'last-name': said.last_name,
    'date-of-birth': said.date_of_birth,
    gender: said.gender,
    nationality: said.nationality,
    priority: job.priority,
  }
  for (const [id, value] of Object.entries(values)) byId(id).value = value ?? ''
  for (const [id, image] of [
    ['selfie', job.selfie_b64],
    ['document-front', job.cni_recto_b64],
    ['document-back', job.cni_verso_b64],
  ])
    chooseImage(byId(id), image)
}

/** @param {string | undefined} base64 - undefined: none is chosen */
function chooseImage(input, base64) {
  const chosen = new DataTransfer()
  if (base64 !== undefined) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const type = bytes[0] === 0xff ? 'image/jpeg' : 'image/png'
    chosen.items.add(new File([bytes], `${input.id}.${type.slice(6)}`, { type }))
  }
  input.files = chosen.files
  input.dispatchEvent(new Event('change'))
}

/** Shows each problem at its field and all of them in a list above the form, which gets the focus. */
export function showProblems(problems) {
  const box = byId('problems')
  for (const field of Object.keys(members)) mark(field, undefined)
  box.hidden = problems.length === 0
  if (problems.length === 0) return box.replaceChildren()
  const title = document.createElement('h3')
  title.textContent = problems.length === 1 ? 'There is a problem' : `There are ${problems.length} problems`
  const list = document.createElement('ul')
  for (const { field, text } of problems) {
    const line = list.appendChild(document.createElement('li'))
    if (field === undefined) {
      line.textContent = text
      continue
    }
    const link = line.appendChild(document.createElement('a'))
    link.href = `#${field}`
    link.textContent = text
    link.addEventListener('click', (event) => {
      event.preventDefault()
      byId(field).focus()
    })
    mark(field, text)
  }
  box.replaceChildren(title, list)
  box.scrollIntoView({ behavior: 'instant' })
  box.focus({ preventScroll: true })
}

/** Writes a problem between a field's label and its input, or takes it away. */
function mark(field, text) {
  const input = byId(field)
  byId(`${field}-problem`)?.remove()
  const described = (input.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== '' && id !== `${field}-problem`)
  if (text !== undefined) {
    const note = Object.assign(document.createElement('p'), { id: `${field}-problem`, className: 'problem', textContent: text })
    input.before(note)
    described.push(note.id)
  }
  input.toggleAttribute('aria-invalid', false)
  if (text !== undefined) input.setAttribute('aria-invalid', 'true')
  if (described.length > 0) input.setAttribute('aria-describedby', described.join(' '))
  else input.removeAttribute('aria-describedby')
}

/** A chosen image is shown, and may be dropped onto its field; one that is large is said to be made smaller. */
export function previewImages() {
  for (const input of document.querySelectorAll('input[type="file"]')) {
    const note = Object.assign(document.createElement('p'), { className: 'caution' })
    note.setAttribute('role', 'status')
    const picture = Object.assign(document.createElement('img'), { className: 'preview', hidden: true })
    picture.addEventListener('error', () => (picture.hidden = true))
    input.after(note, picture)
    acceptDrops(input)
    input.addEventListener('change', () => {
      const [file] = input.files
      URL.revokeObjectURL(picture.src)
      picture.hidden = file === undefined
      if (file === undefined) picture.removeAttribute('src')
      else Object.assign(picture, { src: URL.createObjectURL(file), alt: `${nameOf(input.id)}, as chosen` })
      const tooLarge = file !== undefined && file.size > largestImage
      note.textContent = tooLarge ? `${(file.size / 1024 / 1024).toFixed(1)} MB: it is made smaller before it is sent.` : ''
    })
  }
}

/** A file that is dropped onto a field is chosen there, and nowhere does the browser open it in place of the page. */
function acceptDrops(input) {
  const field = input.closest('.field')
  field.addEventListener('dragover', (event) => {
    event.preventDefault()
    field.classList.add('over')
  })
  field.addEventListener('dragleave', () => field.classList.remove('over'))
  field.addEventListener('drop', (event) => {
    event.preventDefault()
    field.classList.remove('over')
    const [file] = event.dataTransfer.files
    if (file === undefined) return
    const chosen = new DataTransfer()
    chosen.items.add(file)
    input.files = chosen.files
    input.dispatchEvent(new Event('change'))
  })
}
