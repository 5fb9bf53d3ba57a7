import { createHash } from 'node:crypto'
import { absent, type Oracle } from './oracle.ts'
import { inParallel } from './parallel.ts'
import type { Random } from './random.ts'
import type { Traffic } from './traffic.ts'
import type { Workload } from './workload.ts'

const sizes = [100, 100, 100, 100, 20_000, 20_000, 20_000, 2 ** 20]
const keysOfWorker = 8

const contentOf = (bytes: Buffer) => `${createHash('md5').update(bytes).digest('hex')} ${bytes.length}`
const sizeOf = (value: string) => Number(value.split(' ')[1])

/** In a new organization: uploads, overwrites, deletes, multipart uploads, copies and new buckets. */
export const storageWorkload = async (
  { send, once, must }: Traffic,
  oracle: Oracle,
  random: Random,
): Promise<Workload> => {
  const id = crypto.randomUUID()
  const owner = { fullName: 'Owner', email: `${id}@example.com`, password: 'correct horse' }
  const organization = { organizationName: 'Faults', organizationSlug: id }
  const { token } = (await must('storage', 'POST /auth/register', { body: { ...organization, ...owner } }))
    .body
  const bearer = { authorization: `Bearer ${token}` }
  const { key } = (await must('storage', 'POST /auth/api-keys', { headers: bearer, body: {} })).body
  const headers = { 'x-api-key': key }
  const bucket = await must('storage', 'POST /buckets', {
    headers,
    body: { name: 'objects', versioningEnabled: false },
  })
  const root = `/buckets/${bucket.body.id}`
  let serial = 0

  const worker = (node: number) => {
    const name = (key: string) => `object w${node}/${key}`
    const address = (object: string) => `${root}/objects/${object.slice('object '.length)}`
    const contents = () => Buffer.alloc(random.pick(sizes), `${node}.${++serial} `)
    const settled = () =>
      Array.from({ length: keysOfWorker }, (_, n) => name(`k${n}`)).filter(oracle.isSettled)
    const present = () => settled().filter((object) => oracle.known(object) !== absent)
    const any = () => random.pick(settled()) ?? name(`extra${++serial}`)

    const put = () => {
      const [object, raw] = [any(), contents()]
      return oracle.change(object, contentOf(raw), () =>
        send('storage', `PUT ${address(object)}`, { headers, node, raw }),
      )
    }
    const remove = () => {
      const object = random.pick(present())
      const permanent = random.pick(['', '?permanent=true'])
      if (!object) return put()
      return oracle.change(object, absent, () =>
        send('storage', `DELETE ${address(object)}${permanent}`, { headers, node }),
      )
    }
    const inParts = async () => {
      const object = any()
      const parts = [contents(), contents()]
      const begun = await send('storage', `POST ${root}/multipart/initiate`, {
        headers,
        node,
        body: { objectKey: object.slice('object '.length) },
      })
      if (begun.outcome !== 'done') return begun
      const session = `${root}/multipart/${begun.body.uploadId}`
      for (const [index, raw] of parts.entries()) {
        const sent = await send('storage', `PUT ${session}/parts/${index + 1}`, { headers, node, raw })
        if (sent.outcome !== 'done') return sent
      }
      return oracle.change(object, contentOf(Buffer.concat(parts)), () =>
        send('storage', `POST ${session}/complete`, { headers, node, body: {} }),
      )
    }
    const copy = () => {
      const object = random.pick(present())
      if (!object) return put()
      const destinationKey = `w${node}/copy${++serial}`
      return oracle.change(`object ${destinationKey}`, oracle.known(object), () =>
        once('storage', `POST ${address(object)}/copy`, { headers, node, body: { destinationKey } }),
      )
    }
    const makeBucket = () => {
      const body = { name: `bucket-${node}-${++serial}` }
      const request = random.pick([send, once])
      return oracle.effect(body.name, () => request('storage', 'POST /buckets', { headers, node, body }))
    }
    const actions = [put, put, put, put, remove, inParts, copy, makeBucket]
    return () => random.pick(actions)()
  }

  const read = (node: number) => send('storage', `GET ${root}`, { headers, node })

  const check = async () => {
    await inParallel(oracle.names('object '), (object) =>
      oracle.judgeState(object, async () => {
        const call = `GET ${root}/objects/${object.slice('object '.length)}`
        const { status, bytes } = await must('storage', call, { headers, expect: [200, 404] })
        return status === 404 ? absent : contentOf(bytes)
      }),
    )
    const live = oracle.names('object ').filter((object) => oracle.known(object) !== absent)
    await oracle.judgeCount('objects listed', async () => {
      const { total, objects } = (await must('storage', `GET ${root}/objects?limit=1000`, { headers })).body
      return {
        counted: [total, objects.map(({ objectKey }: { objectKey: string }) => `object ${objectKey}`).sort()],
        expected: [live.length, live.toSorted()],
      }
    })
    await oracle.judgeCount('counters of the bucket', async () => {
      const { object_count, total_size_bytes } = (await must('storage', `GET ${root}`, { headers })).body
      const bytes = live.reduce((sum, object) => sum + sizeOf(oracle.known(object)), 0)
      return { counted: [object_count, total_size_bytes], expected: [live.length, bytes] }
    })
    await oracle.judgeEffects('bucket-', async () => {
      const all = (await must('storage', 'GET /buckets', { headers })).body as { name: string }[]
      return all
        .filter(({ name }) => name.startsWith('bucket-'))
        .map(({ name }) => ({ marker: name, whole: true }))
    })
  }
  return { workers: Array.from({ length: 4 }, (_, node) => worker(node)), read, check }
}
