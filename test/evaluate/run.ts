import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { reportOnCameraHints } from './camera-hints.ts'
import { reportOnClassification } from './classification.ts'
import { reportOnCopies } from './copies.ts'
import { drawnCases, evaluateDocuments, figuresOf, isUnexpected, reportOf } from './documents.ts'
import { reportOnDuplicates } from './faces/duplicates-report.ts'
import { reportOnFaces } from './faces/faces-report.ts'
import { reportOnGroups } from './faces/groups-report.ts'
import type { JudgedCase } from './judged-cases.ts'
import { reportOnPeople } from './people-documents.ts'

/**
 * `npm run evaluate -- classification`: measures the pipeline on the project's own sentences; writes the report.
 * `npm run evaluate -- documents`: measures the judgement of generated documents; writes the report.
 * `npm run evaluate -- documents WORD`: only cases whose kind, capture or defect contains the word; prints to the terminal only.
 * `npm run evaluate -- people`: the same for documents with the photographs of people in FACES_DIR, without installed models and with those in MODELS_DIR; writes the report.
 * EVALUATION_JOURNALS may name a folder for judged cases, so that an interrupted evaluation can resume.
 * `npm run evaluate -- people WORD`: only cases whose kind, capture or defect contains the word; prints to the terminal only.
 * `npm run evaluate -- copies`: measures how images of screens and prints are distinguished from documents; writes the report.
 * `npm run evaluate -- faces`: measures the comparison of faces on the photographs in FACES_DIR (one folder per person), with SFace if it is
 * installed in MODELS_DIR; writes the report and its plot. FACES_GROUPS may name a file of lines `person,group`, for rates by group.
 * `npm run evaluate -- groups`: measures findings on the selfies in GROUPS_DIR (one folder per group, a photograph of each person), and how often two people of
 * one group are accepted as one; writes the report.
 * `npm run evaluate -- camera-hints`: measures the camera hints of the verification page on drawn images, and on photographs in FACES_DIR; writes the report.
 * `npm run evaluate -- duplicates`: measures how often one person is found under two codes, on the same photographs; writes the report.
 */
const [, , subject, ...words] = process.argv
const filter = words.join(' ')
const print = (text: string): void => void process.stdout.write(text)
const report = 'docs/evaluation/documents.md'
const { MODELS_DIR: modelsFolder = '.data/models', EVALUATION_JOURNALS: journals } = process.env
const printProgress = (judged: JudgedCase, done: number, of: number): void => {
  const { documentCase, outcome, reasons } = judged
  if (isUnexpected(judged))
    print(
      `  ${documentCase.kind} | ${documentCase.condition} | ${documentCase.defect} | ${documentCase.printing}: ${outcome} ${reasons.join(', ')}\n`,
    )
  if (done % 10 === 0 || done === of) print(`${done} of ${of} documents\n`)
}

if (subject === 'classification') {
  const report = await reportOnClassification(new Date().toISOString().slice(0, 10))
  await writeFile('docs/evaluation/classification.md', report)
  print(report)
} else if (subject === 'faces') {
  const { FACES_DIR: folder = '', FACES_GROUPS: groups = '' } = process.env
  const { text, plot } = await reportOnFaces(folder, groups, modelsFolder, new Date().toISOString().slice(0, 10), (done, of) => {
    if (done % 10 === 0 || done === of) print(`${done} of ${of} people\n`)
  })
  await writeFile('docs/pictures/faces-roc.svg', plot)
  await writeFile('docs/evaluation/faces.md', text)
  print(text)
} else if (subject === 'duplicates') {
  const { FACES_DIR: folder = '' } = process.env
  const text = await reportOnDuplicates(folder, modelsFolder, new Date().toISOString().slice(0, 10), (done, of) => {
    if (done % 50 === 0 || done === of) print(`${done} of ${of} people\n`)
  })
  await writeFile('docs/evaluation/duplicates.md', text)
  print(text)
} else if (subject === 'groups') {
  const { GROUPS_DIR: folder = '' } = process.env
  const text = await reportOnGroups(folder, modelsFolder, new Date().toISOString().slice(0, 10), (done, of) => {
    if (done % 50 === 0 || done === of) print(`${done} of ${of} photographs\n`)
  })
  await writeFile('docs/evaluation/face-groups.md', text)
  print(text)
} else if (subject === 'people') {
  const { FACES_DIR: folder = '' } = process.env
  const text = await reportOnPeople({ folder, modelsFolder, word: filter, journals }, new Date().toISOString().slice(0, 10), printProgress)
  if (filter === '') await writeFile('docs/evaluation/people.md', text)
  print(text)
} else if (subject === 'copies') {
  const report = await reportOnCopies(new Date().toISOString().slice(0, 10), 6, (done) => print(`${done}\n`))
  await writeFile('docs/evaluation/copies.md', report)
  print(report)
} else if (subject === 'camera-hints') {
  const { FACES_DIR: folder = '' } = process.env
  const report = await reportOnCameraHints(new Date().toISOString().slice(0, 10), 12, folder, (done) => print(`${done}\n`))
  await writeFile('docs/evaluation/camera-hints.md', report)
  print(report)
} else if (subject !== 'documents') {
  print('Name an evaluation: npm run evaluate -- documents, people, copies, camera-hints, classification, faces, groups or duplicates\n')
  process.exitCode = 2
} else {
  const judged = await evaluateDocuments({ casesWith: drawnCases(filter), modelsFolder, progress: printProgress })
  const text = reportOf(judged, new Date().toISOString().slice(0, 10))
  print(`\n${text}`)
  if (filter === '') {
    await mkdir(dirname(report), { recursive: true })
    await writeFile(report, text)
    print(`\nWritten to ${report}\n`)
  }
  const { falseAccepts, falseRejects, good } = figuresOf(judged)
  process.exitCode = falseAccepts.length > 0 || falseRejects.length > good * 0.05 ? 1 : 0
}
