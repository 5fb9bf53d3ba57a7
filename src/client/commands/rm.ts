import { Command } from '@commander-js/extra-typings'
import { CommandFailed, complain, examples, type Output } from '#platform/cli.ts'
import { inParallel } from '#platform/parallel.ts'
import { printable } from '#platform/printable.ts'
import { reasonOf, type Storage, withStorage } from '../credentials.ts'
import { objectsBelow } from '../listing.ts'
import { type RemotePlace, remotePlace, requireKey, textOf } from '../places.ts'

const batchSize = 1000

/** The keys that a place stands for, in the portions that are deleted by one request. */
async function* batchesOf(storage: Storage, bucketId: string, place: RemotePlace, isDeep: boolean) {
  if (!isDeep) {
    requireKey(place)
    yield [place.key]
    return
  }
  let batch: string[] = []
  for await (const { key } of objectsBelow(storage, bucketId, place.key)) {
    batch.push(key)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

type Outcome = { key: string; error?: string }

const deleteBatch = async (storage: Storage, bucketId: string, keys: string[]): Promise<Outcome[]> => {
  const params = { path: { bucketId } }
  const { data } = await storage.POST('/buckets/{bucketId}/objects/delete', { params, body: { keys } })
  const failed = data.errors.map(({ key, message }) => ({ key, error: message }))
  return [...data.deleted.map((key) => ({ key })), ...failed]
}

/** There is no request that does this for several. */
const deleteForever = async (storage: Storage, bucketId: string, keys: string[]) => {
  const outcomes: Outcome[] = []
  await inParallel(keys, 4, async (key) => {
    const params = { path: { bucketId, objectKey: key }, query: { permanent: true } }
    const deleting = storage.DELETE('/buckets/{bucketId}/objects/{objectKey}', { params })
    outcomes.push(
      await deleting.then(
        () => ({ key }),
        (error) => ({ key, error: reasonOf(error) }),
      ),
    )
  })
  return outcomes
}

export const rmCommand = (stdout: Output) =>
  new Command('rm')
    .description('Delete objects; they can be recovered until their retention ends')
    .argument('<objects...>', 'bucket:key, or with --recursive bucket:prefix')
    .option('-r, --recursive', 'Everything whose key begins like this')
    .option('--permanent', 'Delete for good, with all versions')
    .option('--dry-run', 'Only print what would be deleted')
    .option('--json', 'One JSON object for each line')
    .addHelpText('after', examples('trivet rm photos:2026/harbour.jpg', 'trivet rm -r photos:2025/'))
    .action((texts, { recursive = false, permanent, dryRun = false, json }) =>
      withStorage(async (storage) => {
        const report = (place: RemotePlace, error?: string) => {
          const object = textOf(place)
          if (json)
            stdout.write(`${JSON.stringify({ object, ...(error ? { error } : { deleted: !dryRun }) })}\n`)
          else if (error) complain(`${object}: ${error}`)
          else stdout.write(`${dryRun ? 'Would delete' : 'Deleted'} ${printable(object)}\n`)
        }
        const remove = permanent ? deleteForever : deleteBatch
        let failures = 0
        for (const place of texts.map(remotePlace)) {
          const { id } = await storage.bucketNamed(place.bucket)
          for await (const keys of batchesOf(storage, id, place, recursive)) {
            const outcomes: Outcome[] = dryRun
              ? keys.map((key) => ({ key }))
              : await remove(storage, id, keys)
            for (const { key, error } of outcomes) {
              if (error) failures++
              report({ ...place, key }, error)
            }
          }
        }
        if (failures > 0) throw new CommandFailed()
      }),
    )
