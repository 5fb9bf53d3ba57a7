/** The largest settings of each sort that a bucket or an object may have. */

const times = (count: number, make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n))

const fits = (bytes: number, make: (count: number) => string) => {
  let count = 1
  while (make(count + 1).length <= bytes) count++
  return count
}

const maxPolicyBytes = 20 * 1024

/** Denies nothing, which every request has to find out. */
export const largestPolicy = () => {
  const ranges = ['0.0.0.0/0', '::/0', ...times(48, (n) => `1::${n}`)].reverse()
  const statement = {
    effect: 'deny',
    action: '*',
    resourceType: 'object',
    resourceId: '*',
    subjectType: 'role',
    subjectId: '*',
    conditions: { notIpCidr: ranges },
  }
  const list = (count: number) => Array.from({ length: count }, () => statement)
  return list(fits(maxPolicyBytes, (count) => JSON.stringify(list(count))))
}

/** The same with as many statements as there may be, of many wildcards each. */
export const policyOfPatterns = () => {
  const statement = (stars: number) => ({
    effect: 'deny',
    action: '*',
    resourceType: 'object',
    resourceId: `${'*a'.repeat(stars)}*b`,
    subjectType: 'role',
    subjectId: '*',
    conditions: null,
  })
  return Array.from({ length: 18 }, () => statement(480))
}

/** 1 MiB: a thousand rules, with tags as far as there is room for them. */
export const largestLifecycle = () => ({
  rules: times(1000, String).map((n) => ({
    id: n,
    prefix: `${'p'.repeat(300)}${n}`,
    tags: Object.fromEntries(
      times(2, (tag) => `${tag}${'t'.repeat(120)}`).map((tag) => [tag, 'v'.repeat(120)]),
    ),
    expiration_days: 30,
  })),
})

export const lifecycleXml = () => {
  const rule = (n: number) =>
    `<Rule><ID>${n}</ID><Filter><Prefix>${'p'.repeat(850)}${n}</Prefix></Filter><Status>Enabled</Status>` +
    '<Expiration><Days>30</Days></Expiration></Rule>'
  return `<LifecycleConfiguration>${times(1000, rule).join('')}</LifecycleConfiguration>`
}

/** Nearly 64 KiB as it is sent; its last rule allows everything. */
export const corsXml = () => {
  const origins = times(20, (n) => `<AllowedOrigin>http://*${'o'.repeat(20)}${n}</AllowedOrigin>`).join('')
  const names = times(10, (n) => `<AllowedHeader>*${'h'.repeat(10)}${n}</AllowedHeader>`).join('')
  const rule = `<CORSRule>${origins}<AllowedMethod>PUT</AllowedMethod>${names}</CORSRule>`
  const last =
    '<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>PUT</AllowedMethod>' +
    '<AllowedHeader>*</AllowedHeader></CORSRule>'
  return `<CORSConfiguration>${rule.repeat(38)}${last}</CORSConfiguration>`
}

export const taggingXml = (count: number) => {
  const tags = times(
    count,
    (n) => `<Tag><Key>${'k'.repeat(120)}${n}</Key><Value>${'v'.repeat(256)}</Value></Tag>`,
  )
  return `<Tagging><TagSet>${tags.join('')}</TagSet></Tagging>`
}

export const policyJson = (bucket: string, orgId: string) => {
  const document = (count: number) =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: times(count, String).map((Sid) => ({
        Sid,
        Effect: 'Deny',
        Principal: { AWS: `arn:aws:iam::${orgId}:role/member` },
        Action: 's3:GetObject',
        Resource: times(3, (n) => `arn:aws:s3:::${bucket}/${n}${'*a'.repeat(20)}`),
        Condition: { NotIpAddress: { 'aws:SourceIp': ['10.0.0.0/8', '0.0.0.0/0'] } },
      })),
    })
  return document(20)
}

/** Names of a thousand objects, as long as they may be. */
export const longKeys = (count: number) => times(count, (n) => `${'a'.repeat(950)}${n}`)
