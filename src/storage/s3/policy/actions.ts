import type { PolicyAction } from '../../policies/evaluate.ts'
import { compilePattern } from '../../policies/pattern.ts'

/**
 * Our actions in the words of S3, which has more of them. One of ours is said by its first word, which stands for the
 * others, or, where there is no such word, by all of them together.
 */
type Group = {
  action: PolicyAction
  at: 'bucket' | 'object'
  words: readonly [string, ...string[]]
  /** Only all words together say it. */
  needsAll?: true
}

const groups: readonly Group[] = [
  {
    action: 'object.read',
    at: 'object',
    words: [
      'GetObject',
      'GetObjectVersion',
      'GetObjectTagging',
      'GetObjectVersionTagging',
      'GetObjectAttributes',
      'GetObjectVersionAttributes',
      'GetObjectAcl',
      'GetObjectVersionAcl',
    ],
  },
  {
    action: 'object.write',
    at: 'object',
    words: [
      'PutObject',
      'PutObjectTagging',
      'PutObjectVersionTagging',
      'DeleteObjectTagging',
      'DeleteObjectVersionTagging',
      'PutObjectAcl',
      'PutObjectVersionAcl',
      'AbortMultipartUpload',
      'ListMultipartUploadParts',
    ],
  },
  { action: 'object.delete', at: 'object', words: ['DeleteObject'] },
  { action: 'object.purge', at: 'object', words: ['DeleteObjectVersion'] },
  {
    action: 'object.list',
    at: 'bucket',
    words: ['ListBucket', 'ListBucketVersions', 'ListBucketMultipartUploads'],
  },
  {
    action: 'bucket.read',
    at: 'bucket',
    needsAll: true,
    words: [
      'GetBucketLocation',
      'GetBucketVersioning',
      'GetBucketAcl',
      'GetBucketTagging',
      'GetBucketCORS',
      'GetBucketPublicAccessBlock',
      'GetBucketOwnershipControls',
      'GetLifecycleConfiguration',
    ],
  },
  {
    action: 'bucket.update',
    at: 'bucket',
    needsAll: true,
    words: [
      'PutBucketVersioning',
      'PutBucketAcl',
      'PutBucketTagging',
      'PutBucketCORS',
      'PutBucketPublicAccessBlock',
      'PutBucketOwnershipControls',
      'PutLifecycleConfiguration',
    ],
  },
  { action: 'bucket.delete', at: 'bucket', words: ['DeleteBucket'] },
  { action: 'policy.read', at: 'bucket', words: ['GetBucketPolicy', 'GetBucketPolicyStatus'] },
  { action: 'policy.write', at: 'bucket', words: ['PutBucketPolicy', 'DeleteBucketPolicy'] },
]

const allWords = groups.flatMap(({ words }) => words)

/** The words that an action of a document stands for; it may have wildcards, and its case does not matter. */
export const wordsFor = (action: string) => {
  const matches = compilePattern(action.toLowerCase())
  return allWords.filter((word) => matches(`s3:${word.toLowerCase()}`))
}

export type Meaning = { action: string; at: 'bucket' | 'object' }

/** Everything, also what S3 has no words for. */
export const everything: readonly Meaning[] = [
  { action: 'object.*', at: 'object' },
  { action: 'object.list', at: 'bucket' },
  { action: 'bucket.*', at: 'bucket' },
  { action: 'policy.*', at: 'bucket' },
]

/** Which of our actions words mean, and those that mean none of them. `isGranted`: by default everybody may see buckets. */
export const meaningOf = (words: ReadonlySet<string>, isGranted: boolean) => {
  const isSaid = ({ action, words: own, needsAll }: Group) =>
    needsAll && !(isGranted && action === 'bucket.read')
      ? own.every((word) => words.has(word))
      : needsAll
        ? own.some((word) => words.has(word))
        : words.has(own[0])
  const said = groups.filter(isSaid)
  const understood = new Set(said.flatMap((group) => group.words as readonly string[]))
  return {
    meanings: said.map(({ action, at }): Meaning => ({ action, at })),
    left: [...words].filter((word) => !understood.has(word)),
  }
}

/** What a word is about. */
export const placeOfWord = (word: string) =>
  groups.find(({ words }) => (words as readonly string[]).includes(word))?.at

/** How a document says one of our actions; undefined if it cannot. */
export const sayAction = (action: string): { actions: string | string[]; at: Meaning['at'] } | undefined => {
  if (action === 'object.*') return { actions: 's3:*', at: 'object' }
  const group = groups.find((known) => known.action === action)
  if (!group) return undefined
  const { words, needsAll, at } = group
  return { actions: needsAll ? words.map((word) => `s3:${word}`) : `s3:${words[0]}`, at }
}
