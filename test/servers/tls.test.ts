import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { get } from 'node:https'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { boot } from '#test/support/boot.ts'
import { debianProgram } from '#test/support/debian.ts'
import { temporaryFolder } from '#test/support/folders.ts'

const folder = await temporaryFolder('tls')
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
await promisify(execFile)(await debianProgram('openssl', 'openssl'), [
  ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
  ...['-keyout', key, '-out', cert, ...subject],
])

test('with a certificate the services use HTTPS and send Strict-Transport-Security', async (t) => {
  const system = await boot({ t, env: { TLS_CERT: cert, TLS_KEY: key } })
  const { port, protocol } = new URL(system.urls.storage)
  assert.equal(protocol, 'https:')
  const ca = await readFile(cert)
  const answer = await new Promise<{ status?: number | undefined; hsts?: string | undefined }>(
    (resolve, reject) =>
      get({ host: 'localhost', port, path: '/no/such', ca, agent: false }, (res) => {
        res.resume()
        resolve({ status: res.statusCode, hsts: res.headers['strict-transport-security'] })
      }).on('error', reject),
  )
  assert.deepEqual(answer, { status: 404, hsts: 'max-age=31536000' })
})
