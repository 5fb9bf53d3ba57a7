import { useEffect, useMemo } from 'preact/hooks'
import { useLive } from '#web/frame/live.ts'
import { paced } from '#web/frame/paced.ts'
import { renewObjects } from './queries.ts'

const types = ['object.*']

/** Renews what is shown of a bucket after others have changed it. */
export const useLiveObjects = (bucketId: string) => {
  const renewal = useMemo(() => paced(() => void renewObjects(bucketId)), [bucketId])
  useEffect(() => renewal.stop, [renewal])
  useLive(types, ({ data }) => {
    const { bucket_id, previous } = data as { bucket_id?: string; previous?: { bucket_id?: string } }
    if (bucket_id === bucketId || previous?.bucket_id === bucketId) renewal.ask()
  })
}
