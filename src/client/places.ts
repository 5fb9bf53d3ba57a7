import { InvalidArgumentError } from '@commander-js/extra-typings'
import { refuse } from './refuse.ts'

/** A bucket and a key or prefix in it, written `photos:2026/harbour.jpg`. */
export type RemotePlace = { bucket: string; key: string }
/** A file or folder of this machine, or standard input or output. */
export type LocalPlace = { path: string }
export type Place = RemotePlace | LocalPlace

export const isRemote = (place: Place): place is RemotePlace => 'bucket' in place

/** Like scp: what has a colon before the first slash is remote, unless it begins with `./`. */
export const place = (text: string): Place => {
  const [, bucket, key = ''] = /^([a-z0-9.-]{3,255}):(.*)$/s.exec(text) ?? []
  if (text === '') throw new InvalidArgumentError('A path, or bucket:key, is expected.')
  return bucket === undefined || /^\.{1,2}$/.test(bucket) ? { path: text } : { bucket, key }
}

export const remotePlace = (text: string): RemotePlace => {
  const found = place(text)
  if (isRemote(found)) return found
  throw new InvalidArgumentError('bucket:key is expected, such as photos:2026/harbour.jpg.')
}

/** For commands that work on one object. */
export const requireKey = ({ key }: RemotePlace) => {
  if (key === '') refuse('A key is expected after the colon')
}

export const textOf = (one: Place) => (isRemote(one) ? `${one.bucket}:${one.key}` : one.path)
