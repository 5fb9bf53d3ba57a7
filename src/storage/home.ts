import type { Home } from '#platform/reference/home/home-page.ts'

/** The page about the service. */
export const home: Home = {
  sentence:
    'Object storage for organizations: buckets with policies and versions, signed links, and multipart uploads.',
  firstCalls: (base) => [
    {
      title: 'Create an organization and keep its token',
      command: `TOKEN=$(curl -s ${base}/auth/register \\
  -H 'content-type: application/json' -d '{
    "organizationName": "Acme", "organizationSlug": "acme",
    "fullName": "Ada Marlow", "email": "ada@acme.example",
    "password": "correct horse" }' | jq -r '.token')`,
    },
    {
      title: 'Create a bucket',
      command: `BUCKET=$(curl -s ${base}/buckets \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{"name": "photos"}' | jq -r '.id')`,
    },
    {
      title: 'Store an object and read it back',
      command: `OBJECT=${base}/buckets/$BUCKET/objects/hello.txt
curl -s -X PUT $OBJECT -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: text/plain' -d 'Hello, Trivet'
curl -s $OBJECT -H "authorization: Bearer $TOKEN"`,
    },
  ],
}
