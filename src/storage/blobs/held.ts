import type { Held } from '#platform/blobs/backup.ts'
import { heldOutside } from './store.ts'

/** What a backup has to copy. */
export const held: Held = { in: '', after: heldOutside }
