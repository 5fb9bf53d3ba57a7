import type { Held } from '#platform/blobs/backup.ts'
import { heldFiles } from './store.ts'

/** What a backup has to copy. */
export const held: Held = { in: 'pictures', after: heldFiles }
