/** One item of an imported file. */
export interface Entry {
  /** file and position, for messages */
  readonly where: string
  readonly kind: EntryKind
  readonly der: Uint8Array
}

/** unnamed: the format does not state the kind */
type EntryKind = 'certificate' | 'revocation list' | 'master list' | 'unnamed'

/** LDIF attributes of the ICAO Public Key Directory and of countries. */
const attributes: Readonly<Record<string, EntryKind>> = {
  usercertificate: 'certificate',
  cacertificate: 'certificate',
  certificaterevocationlist: 'revocation list',
  cscamasterlistdata: 'master list',
  pkdmasterlistcontent: 'master list',
}
const labels: Readonly<Record<string, EntryKind>> = {
  CERTIFICATE: 'certificate',
  'X509 CRL': 'revocation list',
  CMS: 'master list',
  PKCS7: 'master list',
}

/** Detects the format by the first bytes: PEM, LDIF (RFC 2849), otherwise one DER value. */
export function* entriesOf(file: string, bytes: Buffer): Generator<Entry> {
  const head = bytes.toString('latin1', 0, 64 * 1024)
  if (head.includes('-----BEGIN ')) yield* pemEntries(file, bytes.toString('latin1'))
  else if (/^(?:version|dn):/im.test(head)) yield* ldifEntries(file, bytes.toString('latin1'))
  else yield { where: file, kind: 'unnamed', der: bytes }
}

function* pemEntries(file: string, text: string): Generator<Entry> {
  let number = 0
  for (const [, label = '', body = ''] of text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g)) {
    number += 1
    yield { where: `${file}, block ${number}`, kind: labels[label] ?? 'unnamed', der: Buffer.from(body, 'base64') }
  }
}

function* ldifEntries(file: string, text: string): Generator<Entry> {
  let line = 0
  let held: { readonly from: number; readonly pieces: string[] } | undefined
  for (const part of [...text.split('\n'), '']) {
    line += 1
    // a line that starts with a blank continues the previous one
    if (part.startsWith(' ') && held !== undefined) {
      held.pieces.push(part.slice(1).trimEnd())
      continue
    }
    if (held !== undefined) yield* attributeOf(`${file}, line ${held.from}`, held.pieces.join(''))
    held = { from: line, pieces: [part.trimEnd()] }
  }
}

function* attributeOf(where: string, text: string): Generator<Entry> {
  const [, name = '', body = ''] = /^([A-Za-z0-9]+)(?:;binary)?::(.*)$/.exec(text) ?? []
  const kind = attributes[name.toLowerCase()]
  if (kind !== undefined) yield { where, kind, der: Buffer.from(body, 'base64') }
}
