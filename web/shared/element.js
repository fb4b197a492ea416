/** Makes an element. @param {Record<string, string | undefined>} attributes - an undefined one is left out */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(attribute, value)
  made.append(...children.filter((child) => child !== undefined))
  return made
}

const namespace = 'http://www.w3.org/2000/svg'

/** Makes an element of a drawing. */
export function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(namespace, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value))
  made.append(...children)
  return made
}

/** Replaces a text only when it differs: a screen reader hears changes, not every round. */
export function say(place, text) {
  if (place.textContent !== text) place.textContent = text
}

export const byId = (id) => document.getElementById(id)
