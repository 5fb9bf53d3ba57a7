import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { debianProgram } from './debian.ts'
import { temporaryFolder } from './folders.ts'

const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']

/** A certificate for localhost that was signed with its own key. */
export const certificate = async () => {
  const folder = await temporaryFolder('tls')
  const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  await promisify(execFile)(await debianProgram('openssl', 'openssl'), [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
    ...['-keyout', keyPath, '-out', certPath, ...subject],
  ])
  return { certPath, ca: await readFile(certPath), env: { TLS_CERT: certPath, TLS_KEY: keyPath } }
}
