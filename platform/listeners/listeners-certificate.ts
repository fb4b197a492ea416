import type { Config } from '../../foundation/config/config.ts'
import { messageOf } from '../../foundation/fault.ts'
import { readCertificate, ServerCertificate } from '../../foundation/http/server-certificate.ts'
import type { Log } from '../../foundation/log.ts'
import type { MetricRegistries } from '../../foundation/process/metrics.ts'

/** Returns the certificate of client listeners; undefined for HTTP. @throws as `readCertificate` does */
export function listenersCertificate(
  { certificateFiles: files }: Config,
  registries: MetricRegistries,
  log: Log,
): ServerCertificate | undefined {
  return files && new ServerCertificate({ files, registry: registries.of('certificate'), log })
}

/** @returns one sentence if the certificate files are unusable */
export function certificateProblems({ certificateFiles: files }: Config): readonly string[] {
  if (files === undefined) return []
  try {
    readCertificate(files)
    return []
  } catch (error) {
    return [`TLS_CERT_FILE, TLS_KEY_FILE: ${messageOf(error)}`]
  }
}
