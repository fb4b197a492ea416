/** The form: what is in it, and what is wrong with it. */

const largestImage = 5 * 1024 * 1024

const byId = (id) => document.getElementById(id)

/** Which member of the request each field fills, as a refusal of the service names it. */
const members = {
  'api-key': 'header.X-Service-API-Key',
  'first-name': 'body.declared_identity.first_name',
  'last-name': 'body.declared_identity.last_name',
  'date-of-birth': 'body.declared_identity.date_of_birth',
  'citizen-code': 'body.citizen_code',
  'document-type': 'body.document_type',
  country: 'body.country_code',
  selfie: 'body.selfie_b64',
  'document-front': 'body.cni_recto_b64',
  'document-back': 'body.cni_verso_b64',
}

/** The text of a label without what stands in it in brackets. */
const nameOf = (id) => document.querySelector(`label[for="${id}"]`).firstChild.textContent.trim()

/** The content of a chosen file as base64; null when none is chosen. */
function base64Of({ files: [file] }) {
  if (file === undefined) return Promise.resolve(null)
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
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
    },
  }
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

/** A chosen image is shown; one that is too large is said to be, while another can still be chosen. */
export function previewImages() {
  for (const input of document.querySelectorAll('input[type="file"]')) {
    const note = Object.assign(document.createElement('p'), { className: 'caution' })
    note.setAttribute('role', 'status')
    const picture = Object.assign(document.createElement('img'), { className: 'preview', hidden: true })
    picture.addEventListener('error', () => (picture.hidden = true))
    input.after(note, picture)
    input.addEventListener('change', () => {
      const [file] = input.files
      URL.revokeObjectURL(picture.src)
      picture.hidden = file === undefined
      if (file === undefined) picture.removeAttribute('src')
      else Object.assign(picture, { src: URL.createObjectURL(file), alt: `${nameOf(input.id)}, as chosen` })
      const tooLarge = file !== undefined && file.size > largestImage
      note.textContent = tooLarge ? `${(file.size / 1024 / 1024).toFixed(1)} MB: the service verifies images up to 5 MB.` : ''
    })
  }
}
