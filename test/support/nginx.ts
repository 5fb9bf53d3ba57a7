import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { debianProgram } from './debian.ts'
import { freePort } from './postgres.ts'

/** nginx on a free port, with `locations` in its server block and `beside` next to that block. */
export const startNginx = async (locations: string, beside = '') => {
  const program = await debianProgram('nginx', 'nginx')
  const folder = await mkdtemp(join(tmpdir(), 'trivet-nginx-'))
  await chmod(folder, 0o711)
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  // Workers run as the same account as the master, so that they can read the files of Trivet.
  const account = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    config,
    `${account}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${beside}
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    ${locations}
  }
}
`,
  )
  const server = spawn(program, ['-c', config, '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  const endWithUs = () => server.kill('SIGKILL')
  process.once('exit', endWithUs)
  await responding(`http://127.0.0.1:${port}`)
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      process.off('exit', endWithUs)
      server.kill('SIGTERM')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const responding = async (url: string) => {
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(url, { method: 'HEAD' }).catch(() => null)) return
    await sleep(50)
  }
  throw new Error('nginx did not start within 5 seconds')
}

/** An upstream of several nodes with persistent connections. Failures do not take a node out of rotation. */
export const nodes = (ports: readonly number[]) => `upstream nodes {
    ${ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join('\n    ')}
    keepalive 32;
  }`
export const toNodes = `
    location / {
      proxy_pass http://nodes;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
    }`

/** Headers of Trivet's response that nginx would drop when it sends the file. */
const carried = [
  ...['ETag', 'Last-Modified', 'X-Request-Id', 'Vary'],
  ...['Content-Security-Policy', 'X-Content-Type-Options', 'Referrer-Policy', 'Strict-Transport-Security'],
  ...['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'],
]

/** Trivet behind nginx, which sends the blobs that `X-Accel-Redirect` names. */
export const handOver = (service: string, prefix: string, blobs: string) => `
    location / {
      proxy_pass ${service};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_request_buffering off;
    }
    location ${prefix}/ {
      internal;
      alias ${blobs}/;
      etag off;
      ${carried.map((name) => `add_header ${name} $upstream_http_${name.toLowerCase().replaceAll('-', '_')};`).join('\n      ')}
    }`
