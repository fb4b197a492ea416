import { editDistance } from './name-matching.ts'
import { toLatin } from './transliteration.ts'

export type FieldLabel = 'surname' | 'given_names' | 'birth' | 'expiry' | 'sex' | 'nationality' | 'number' | 'other'

/** The words before the fields of identity documents in French, English, Spanish, Portuguese, German and Italian. */
const labels: Readonly<Record<FieldLabel, readonly string[]>> = {
  surname: [
    'NOM', 'NOMS', 'NOM DE FAMILLE', 'NOM DE NAISSANCE', 'SURNAME', 'SURNAMES', 'LAST NAME', 'FAMILY NAME', 'NAME', 'APELLIDO', 'APELLIDOS',
    'APELIDO', 'APELIDOS', 'NACHNAME', 'FAMILIENNAME', 'COGNOME',
  ],
  given_names: [
    'PRENOM', 'PRENOMS', 'PRENOM S', 'GIVEN NAME', 'GIVEN NAMES', 'FIRST NAME', 'FIRST NAMES', 'FORENAME', 'FORENAMES', 'NOMBRE', 'NOMBRES',
    'NOME', 'NOMES', 'VORNAME', 'VORNAMEN', 'NOME PROPRIO',
  ],
  birth: [
    'DATE DE NAISSANCE', 'DATE DE NAISS', 'NE LE', 'NEE LE', 'NE E LE', 'NAISSANCE', 'DATE OF BIRTH', 'BIRTH DATE', 'DOB', 'BORN',
    'FECHA DE NACIMIENTO', 'DATA DE NASCIMENTO', 'GEBURTSDATUM', 'DATA DI NASCITA',
  ],
  expiry: [
    'DATE D EXPIRATION', 'DATE DEXPIRATION', 'DATE DE FIN DE VALIDITE', 'FIN DE VALIDITE', 'VALABLE JUSQU AU', 'VALABLE JUSQUAU',
    'CARTE VALABLE JUSQU AU', 'CARTE VALABLE JUSQUAU', 'EXPIRE LE', 'EXPIRATION', 'DATE OF EXPIRY', 'DATE OF EXPIRATION', 'EXPIRY DATE', 'EXPIRY',
    'EXPIRES', 'VALID UNTIL', 'VALIDITE', 'FECHA DE CADUCIDAD', 'FECHA DE VENCIMIENTO', 'VALIDEZ', 'DATA DE VALIDADE', 'VALIDADE',
    'GULTIG BIS', 'SCADENZA', 'DATA DI SCADENZA',
  ],
  sex: ['SEXE', 'SEX', 'SEXO', 'GENDER', 'GESCHLECHT', 'SESSO'],
  nationality: ['NATIONALITE', 'NATIONALITY', 'NACIONALIDAD', 'NACIONALIDADE', 'STAATSANGEHORIGKEIT', 'CITTADINANZA'],
  number: [
    'N', 'NO', 'NUMERO', 'NUMBER', 'DOCUMENT NO', 'DOCUMENT NUMBER', 'N DU DOCUMENT', 'NO DU DOCUMENT', 'NUMERO DU DOCUMENT', 'CARD NO',
    'CARD NUMBER', 'N DE CARTE', 'CARTE N', 'CARTE NO', 'PASSPORT NO', 'PASSPORT NUMBER', 'PASSEPORT N', 'PASSEPORT NO', 'N DE PASSEPORT',
    'NUMERO DE DOCUMENTO', 'NUMERO DE CARTE', 'NUMERO DE PASSEPORT', 'N CNI', 'NIN', 'ID NO', 'ID NUMBER', 'PERSONAL NO',
  ],
  other: [
    'LIEU DE NAISSANCE', 'LIEU', 'PLACE OF BIRTH', 'LUGAR DE NACIMIENTO', 'LOCAL DE NASCIMENTO', 'DATE DE DELIVRANCE', 'DATE OF ISSUE', 'DELIVREE LE',
    'DELIVRE LE', 'DATE D EMISSION', 'ISSUED', 'ISSUE DATE', 'ADRESSE', 'ADDRESS', 'DOMICILE', 'TAILLE', 'HEIGHT', 'AUTORITE', 'AUTHORITY',
    'SIGNATURE', 'SIGNATURE DU TITULAIRE', 'PROFESSION', 'TYPE', 'CODE DU PAYS', 'COUNTRY CODE', 'CODE', 'NOM D USAGE', 'NOM DUSAGE', 'EPOUSE',
    'CATEGORIE', 'REMARQUES', 'REMARKS', 'TYPE DE TITRE', 'NATIONALE', 'CARTE NATIONALE D IDENTITE', 'CARTE NATIONALE DIDENTITE', 'CARTE D IDENTITE',
    'IDENTITY CARD', 'NATIONAL IDENTITY CARD', 'PASSEPORT', 'PASSPORT', 'TITRE DE SEJOUR', 'RESIDENCE PERMIT',
  ],
} // biome-ignore format: a table

const byLength = Object.entries(labels)
  // Object.entries forgets the keys' type
  .flatMap(([field, names]) => names.map((name) => ({ field: field as FieldLabel, name })))
  .sort((a, b) => b.name.length - a.name.length)
const maxWords = 6

/** What readers make of narrow print: RN and M, VV and W are one to them. */
const blurred = (text: string): string => text.replace(/RN/g, 'M').replace(/VV/g, 'W').replace(/[1|]/g, 'I')

/** One slip in a word of five letters, two in ten; short labels must be right. */
const alike = (read: string, label: string): boolean =>
  label.length >= 5 && read.charAt(0) === label.charAt(0) && editDistance(blurred(read), blurred(label)) <= (label.length >= 10 ? 2 : 1)

/**
 * The label with which these words begin, if they begin with one.
 * @returns its field and how many of the words belong to it, punctuation that follows included
 */
export function labelAt(words: readonly string[]): { readonly field: FieldLabel; readonly length: number } | undefined {
  const folded = words.slice(0, maxWords).map((word) => toLatin(word.replace(/['’]/g, ' ')))
  if (folded[0] === '' || folded[0] === undefined) return undefined
  const phrases = folded
    .map((last, at) => ({
      length: at + 1,
      last,
      text: folded
        .slice(0, at + 1)
        .filter((word) => word !== '')
        .join(' '),
    }))
    .filter(({ last }) => last !== '')
    .reverse()
  for (const matches of [(phrase: string, name: string) => phrase === name, alike]) {
    for (const { text, length } of phrases) {
      // an N is a label only where it says so: N°, No.
      const found = byLength.find(({ name }) => matches(text, name) && (name !== 'N' || /^n\s?[°ºo.:]/i.test(words[0] ?? '')))
      if (found === undefined) continue
      let end = length
      while (end < words.length && /^[^\p{L}\p{N}]+$/u.test(words[end] ?? '')) end++
      return { field: found.field, length: end }
    }
  }
  return undefined
}
