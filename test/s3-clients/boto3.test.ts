import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { testEachWay } from './support/scene.ts'
import { largeSize, oddKeys } from './support/trees.ts'

const scriptOf = (name: string) => fileURLToPath(new URL(`./support/${name}.py`, import.meta.url))

/** Which Python `python3` is, if it has boto3: a newer one than Debian's, which sends checksums by default. */
const ownPython = () => {
  try {
    return execFileSync('python3', ['-c', 'import sys, boto3; print(sys.executable)'], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

for (const python of new Set(['/usr/bin/python3', ownPython().trim()].filter(Boolean))) {
  testEachWay(`boto3 of ${python} writes, reads, lists, copies, presigns and deletes`, async (scene) => {
    const { t, run, endpoint } = scene
    const args = [scriptOf('boto3_client'), endpoint, String(largeSize)]
    t.diagnostic(await run(python, args, {}, JSON.stringify(oddKeys)))
  })
  testEachWay(`boto3 of ${python} uses versions, tags, lifecycle, CORS and policies`, async (scene) => {
    await scene.run(python, [scriptOf('boto3_buckets'), scene.endpoint])
  })
}
