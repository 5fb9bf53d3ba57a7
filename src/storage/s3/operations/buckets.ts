import { AppError } from '#platform/errors.ts'
import { roleAllows } from '../../access.ts'
import { deleteBucket as removeBucket } from '../../bucket-admin/delete-bucket.ts'
import { authorize } from '../../buckets/authorize.ts'
import { listBuckets as allBuckets, createBucket as makeBucket, updateBucket } from '../../buckets/buckets.ts'
import { checkBucketTags } from '../../buckets/settings.ts'
import { invalidArgument, refuse } from '../errors.ts'
import { payloadOf, readDocument } from '../payload.ts'
import { emptyReply, xmlReply } from '../reply.ts'
import { type Call, headerOf, numberOf, parameterOf, refuseHeaders } from '../request.ts'
import { tagsInSet } from '../tagging.ts'
import { onlyChild, readXml, textOf } from '../xml/read.ts'
import { Xml } from '../xml/write.ts'
import { askedAcl } from './asked-acl.ts'
import { bucketOf } from './places.ts'
import { openObject } from './read-object.ts'

export const ownerOf = ({ me }: Call) => ({ ID: me.orgId, DisplayName: me.orgId })

const maxListed = 10_000

export const listBuckets = async (call: Call) => {
  const { ctx, me, request } = call
  const prefix = parameterOf(request, 'prefix') ?? ''
  const after = Buffer.from(parameterOf(request, 'continuation-token') ?? '', 'base64url').toString()
  const limit = numberOf(request, 'max-buckets', { min: 1, max: maxListed, fallback: maxListed })
  const found = (await allBuckets(ctx, me))
    .filter(({ name }) => name.startsWith(prefix) && name > after)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return xmlReply('ListAllMyBucketsResult', {
    Owner: ownerOf(call),
    Buckets: {
      Bucket: page.map(({ name, created_at, region }) => ({
        Name: name,
        CreationDate: created_at,
        BucketRegion: region,
      })),
    },
    ContinuationToken: last && Buffer.from(last.name).toString('base64url'),
    Prefix: prefix || undefined,
  })
}

/** Names that S3 keeps for itself. */
const reserved = /^(xn--|sthree-|amzn-s3-demo-)|(-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/

/** S3's rules for names, each of which is the name of a host, too. */
const isBucketName = (name: string) =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
  !/[.-]\.|\.-/.test(name) &&
  !/^\d+(\.\d+){3}$/.test(name) &&
  !reserved.test(name)

/** The bucket is public if everybody may read it. */
const visibilityOf = (acl: string | undefined) => {
  if (acl === undefined || acl === 'private') return 'private'
  return acl === 'public-read' ? 'public' : refuse('AccessControlListNotSupported')
}

const grantHeaders = ['read', 'write', 'read-acp', 'write-acp', 'full-control'].map(
  (name) => `x-amz-grant-${name}`,
)

/** What a new bucket is to be like. */
const configurationOf = async (call: Call) => {
  const text = await readDocument(payloadOf(call))
  const document = text === '' ? undefined : readXml(text, 'CreateBucketConfiguration')
  const region = (document && textOf(document, 'LocationConstraint')) || call.region
  if (!/^[\w-]{2,64}$/.test(region)) invalidArgument('LocationConstraint', region)
  const tags = document && onlyChild(document, 'Tags')
  return { region, tags: tags ? tagsInSet(tags, checkBucketTags) : [] }
}

export const createBucket = async (call: Call) => {
  const { ctx, me, request } = call
  const { bucket: name } = request
  if (!isBucketName(name)) refuse('InvalidBucketName', undefined, { fields: { BucketName: name } })
  if (!roleAllows(me.role, 'bucket.create')) refuse('AccessDenied')
  refuseHeaders(request, grantHeaders)
  if (headerOf(request, 'x-amz-bucket-object-lock-enabled')?.toLowerCase() === 'true')
    refuse('NotImplemented', 'Object Lock is not supported')
  const visibility = visibilityOf(headerOf(request, 'x-amz-acl'))
  const configuration = await configurationOf(call)
  try {
    await makeBucket(ctx, me, { name, visibility, versioningEnabled: false, ...configuration })
  } catch (error) {
    if (error instanceof AppError && error.status === 409)
      refuse('BucketAlreadyOwnedByYou', undefined, { fields: { BucketName: name } })
    throw error
  }
  return emptyReply(200, { location: `/${name}` })
}

const readable = async (call: Call) => {
  const bucket = await bucketOf(call)
  authorize(call.ctx, call.me, 'bucket.read', { bucket })
  return bucket
}

export const headBucket = async (call: Call) =>
  emptyReply(200, {
    'x-amz-bucket-region': (await readable(call)).region,
    'x-amz-access-point-alias': 'false',
  })

export const deleteBucket = async (call: Call) => {
  const { id } = await bucketOf(call)
  try {
    await removeBucket(call.ctx, call.me, id, { keepVersions: true })
  } catch (error) {
    if (error instanceof AppError && error.status === 409) refuse('BucketNotEmpty')
    throw error
  }
  return emptyReply(204)
}

/** S3's first region has no name here. */
export const getBucketLocation = async (call: Call) => {
  const { region } = await readable(call)
  return xmlReply('LocationConstraint', region === 'us-east-1' ? '' : region)
}

export const getBucketVersioning = async (call: Call) => {
  const { hasHadVersions, versioningEnabled } = await readable(call)
  return xmlReply('VersioningConfiguration', {
    Status: hasHadVersions ? (versioningEnabled ? 'Enabled' : 'Suspended') : undefined,
  })
}

/** Bucket and object ACLs say who owns them, and whether everybody may read. */
const accessControl = (call: Call, isPublic: boolean) => {
  const owner = ownerOf(call)
  const grant = (grantee: string, permission: string) =>
    `<Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ${grantee}</Grantee>` +
    `<Permission>${permission}</Permission></Grant>`
  const grants =
    grant(
      `xsi:type="CanonicalUser"><ID>${owner.ID}</ID><DisplayName>${owner.DisplayName}</DisplayName>`,
      'FULL_CONTROL',
    ) +
    (isPublic
      ? grant('xsi:type="Group"><URI>http://acs.amazonaws.com/groups/global/AllUsers</URI>', 'READ')
      : '')
  return { Owner: owner, AccessControlList: new Xml(grants) }
}

export const getBucketAcl = async (call: Call) => {
  const { visibility } = await readable(call)
  return xmlReply('AccessControlPolicy', accessControl(call, visibility === 'public'))
}

export const getObjectAcl = async (call: Call) => {
  await openObject(call)
  return xmlReply('AccessControlPolicy', accessControl(call, false))
}

export const putBucketAcl = async (call: Call) => {
  const { ctx, me, request } = call
  refuseHeaders(request, grantHeaders)
  const bucket = await bucketOf(call)
  await updateBucket(ctx, me, bucket.id, { visibility: visibilityOf(await askedAcl(call)) })
  return emptyReply(200)
}

/** What S3 replies where nothing is configured. */
export const notConfigured = {
  encryption: async (call: Call) => {
    await readable(call)
    return refuse('ServerSideEncryptionConfigurationNotFoundError')
  },
  website: async (call: Call) => {
    await readable(call)
    return refuse('NoSuchWebsiteConfiguration')
  },
  replication: async (call: Call) => {
    await readable(call)
    return refuse('ReplicationConfigurationNotFoundError')
  },
  objectLock: async (call: Call) => {
    await readable(call)
    return refuse('ObjectLockConfigurationNotFoundError')
  },
  notification: async (call: Call) => {
    await readable(call)
    return xmlReply('NotificationConfiguration', '')
  },
  logging: async (call: Call) => {
    await readable(call)
    return xmlReply('BucketLoggingStatus', '')
  },
  accelerate: async (call: Call) => {
    await readable(call)
    return xmlReply('AccelerateConfiguration', '')
  },
  requestPayment: async (call: Call) => {
    await readable(call)
    return xmlReply('RequestPaymentConfiguration', { Payer: 'BucketOwner' })
  },
}
