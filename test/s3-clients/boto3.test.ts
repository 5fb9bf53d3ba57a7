import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { testEachWay } from './support/scene.ts'
import { largeSize, oddKeys } from './support/trees.ts'

const script = fileURLToPath(new URL('./support/boto3_client.py', import.meta.url))

/** Which Python `python3` is, if it has boto3: a newer one than Debian's, which sends checksums by default. */
const ownPython = () => {
  try {
    return execFileSync('python3', ['-c', 'import sys, boto3; print(sys.executable)'], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

for (const python of new Set(['/usr/bin/python3', ownPython().trim()].filter(Boolean)))
  testEachWay(`boto3 of ${python} writes, reads, lists, copies, presigns and deletes`, async (scene) => {
    const { t, run, endpoint } = scene
    t.diagnostic(await run(python, [script, endpoint, String(largeSize)], {}, JSON.stringify(oddKeys)))
  })
