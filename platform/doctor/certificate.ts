import { messageOf } from '../../foundation/fault.ts'
import { type CertificateFiles, readCertificate } from '../../foundation/http/server-certificate.ts'
import { doubtful, type Examination, type Finding, fine, wrong } from './examination.ts'

const dayMs = 86_400_000
const soonDays = 14
const next = 'Replace the files of TLS_CERT_FILE and TLS_KEY_FILE; no restart is needed.'

/** Examines the certificate of the client listeners. */
export function examineCertificate(files: CertificateFiles): Examination {
  return { engine: 'client listeners', answeredInMs: 0, findings: [certificateFinding(files)] }
}

function certificateFinding(files: CertificateFiles): Finding {
  try {
    return endFinding(Math.floor((readCertificate(files).endsAt - Date.now()) / dayMs))
  } catch (error) {
    return wrong('files', messageOf(error), next)
  }
}

function endFinding(days: number): Finding {
  if (days < 0) return wrong('end', `${-days} days ago`, next)
  return days < soonDays ? doubtful('end', `in ${days} days`, next) : fine('end', `in ${days} days`)
}
