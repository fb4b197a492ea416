/** What the codes of an answer mean, in plain words. A code that is not here is shown as it is, with spaces. */

export const outcomes = {
  verified: { state: 'good', title: 'Verified', about: 'The face, the document and the declared identity agree.' },
  pending_review: {
    state: 'warn',
    title: 'To be reviewed',
    about: 'Nothing speaks for a fraud, but a person should look before this is accepted.',
  },
  rejected: { state: 'bad', title: 'Rejected', about: 'The evidence contradicts the declared identity.' },
  error: { state: 'bad', title: 'Not verified', about: 'The verification could not be carried out.' },
}

export const reasons = {
  face_mismatch: 'The face on the selfie is not the face on the document.',
  name_mismatch: 'The name on the document is not the declared one.',
  dob_mismatch: 'The date of birth on the document is not the declared one.',
  gender_mismatch: 'The sex on the document is not the declared one.',
  nationality_mismatch: 'The nationality on the document is not the declared one.',
  document_type_mismatch: 'The document is of another kind, or from another country, than declared.',
  data_inconsistent: 'What is printed on the document and what its machine-readable lines say differ.',
  barcode_mismatch: 'The barcode of the document and what is printed on it differ.',
  mrz_check_digit_failed: 'A check digit in the machine-readable lines is wrong: they were misread or altered.',
  document_expired: 'The document has expired.',
  possible_duplicate: 'The face looks like that of another citizen who is known already.',
  challenge_other_person: 'The person before the camera is not the person on the selfie, or not one and the same.',
  challenge_flat: 'Before the camera was a flat picture, or a head that was not turned.',
  challenge_incomplete: 'The movements before the camera are not those that were asked for.',
  challenge_late: 'The movements before the camera came too late.',
  two_documents: 'Another document or another person is in the image of the document.',
  unsupported_document: 'The service does not know this kind of document.',
  ocr_unreadable: 'The text on the document could not be read.',
  wrong_side: 'The front and the back of the document are exchanged.',
  missing_back: 'The back of the document is needed and was not sent.',
  no_document_in_image: 'No identity document was found in the image.',
  copy_of_document: 'The image shows a copy, not the document.',
  shown_on_screen: 'The image shows a screen, not the document itself.',
  cut_off_document: 'A part of the document is outside the image.',
  no_face_selfie: 'No face was found on the selfie.',
  no_face_document: 'No portrait was found on the document.',
  multiple_faces_selfie: 'More than one face is on the selfie.',
  blurred_photo: 'An image is blurred.',
  glare_on_photo: 'Glare hides a part of an image.',
  dark_photo: 'An image is too dark.',
}

export const scores = {
  overall: 'Overall',
  face_match: 'Faces alike',
  selfie_quality: 'Quality of the selfie',
  document_quality: 'Quality of the document image',
  ocr_confidence: 'Text read with confidence',
  mrz_validity: 'Machine-readable lines valid',
  name_similarity: 'Names alike',
  data_match: 'Declared data found',
}

export const groups = {
  face_comparison: 'Face',
  data_comparison: 'Declared identity against document',
  data_validation: 'Document data',
  data_consistency: 'Document in itself',
  image_integrity: 'Images',
}

const special = { mrz: 'Machine-readable lines', dob: 'Date of birth', ocr: 'Text' }

export const checks = {
  clear: { state: 'good', title: 'Clear' },
  consider: { state: 'warn', title: 'Consider' },
  unidentified: { state: 'none', title: 'Not checked' },
}

/** `document_expiration` as "Document expiration". */
export function spaced(code) {
  const text = special[code] ?? code.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** "image_too_large: The selfie is …" as its sentence. */
export const sentenceOf = (failureReason) => failureReason.replace(/^\w+: /, '')
