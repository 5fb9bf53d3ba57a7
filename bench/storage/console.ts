import { createStorage } from '#sdk/index.ts'
import { openBrowser, openingRate, signedIn } from '../browser.ts'
import { compare, type Result } from '../measure.ts'
import { call, type Trivet } from '../system.ts'
import { openUnwatched, type Unwatched } from '../unwatched.ts'
import { prepare } from './account.ts'
import { fillBucket } from './crowd.ts'

const files = 1_000
const fileBytes = 4096
/** As many as a browser could send: it opens six connections to a server, and one carries events. */
const atOnce = 5

type Bucket = { id: string }

/** Signs in as a person does, by the form. */
const enter = async (
  page: Unwatched,
  root: string,
  { email, password }: { email: string; password: string },
) => {
  await page.goto(root)
  await page.until(`document.querySelector('input[name=password]')`)
  await page.evaluate(`{
    const fill = (name, value) => {
      const input = document.querySelector('input[name=' + name + ']')
      input.value = value
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    fill('email', ${JSON.stringify(email)})
    fill('password', ${JSON.stringify(password)})
    document.querySelector('form').requestSubmit()
  }`)
  await page.until(`document.querySelector('nav[aria-label=Main]')`)
}

/** Files that are dropped on the list of a new bucket, until all of them are stored. */
const byConsole = (page: Unwatched, root: string, newBucket: () => Promise<Bucket>) => async () => {
  const { id } = await newBucket()
  await page.goto(`${root}/buckets/${id}`)
  await page.until(`location.pathname.endsWith('${id}') && document.querySelector('main .state')`)
  // Making the files is not part of uploading them.
  await page.evaluate(`{
    globalThis.dropped = new DataTransfer()
    for (let n = 0; n < ${files}; n++) dropped.items.add(new File(['x'.repeat(${fileBytes})], n + '.txt'))
  }`)
  const began = performance.now()
  await page.evaluate(`{
    const zone = document.querySelector('main .state')
    for (const type of ['dragenter', 'dragover', 'drop'])
      zone.dispatchEvent(new DragEvent(type, { dataTransfer: dropped, bubbles: true, cancelable: true }))
  }`)
  await page.until(`document.body.textContent.includes('1,000 files uploaded')`)
  return (files * 1000) / (performance.now() - began)
}

const bySdk = (baseUrl: string, apiKey: string, newBucket: () => Promise<Bucket>) => async () => {
  const storage = createStorage({ baseUrl, apiKey })
  const { id } = await newBucket()
  const file = new Blob(['x'.repeat(fileBytes)])
  const began = performance.now()
  let next = 0
  const work = async () => {
    while (next < files) await storage.upload(id, `${next++}.txt`, file, { contentType: 'text/plain' }).done
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return (files * 1000) / (performance.now() - began)
}

/** The console of storage in Chromium: a large bucket against a small one, and uploads against the same by the SDK in Node. */
export const consoleWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const { urls, database } = trivet
  const { headers, signIn } = await prepare(trivet, 'console')
  const root = `${urls.storage}/console`
  let buckets = 0
  const newBucket = async () =>
    (await call('POST', `${urls.storage}/buckets`, { name: `bucket-${++buckets}` }, headers)) as Bucket
  const filled = async (count: number) => {
    const { id } = await newBucket()
    await fillBucket(database, id, count)
    return `/buckets/${id}`
  }
  const [few, many] = [await filled(1_000), await filled(1_000_000)]
  const browser = await openBrowser()
  try {
    const page = await signedIn(browser, root, signIn)
    yield await compare({
      name: 'open a bucket of a million',
      limit: 'a bucket of a thousand',
      subject: openingRate(page, root, many),
      against: openingRate(page, root, few),
    })
  } finally {
    await browser.close()
  }
  const unwatched = await openUnwatched()
  try {
    await enter(unwatched, root, signIn)
    yield await compare(
      {
        name: '1,000 files of 4 KiB in one drop',
        limit: 'the same by the SDK in Node',
        subject: byConsole(unwatched, root, newBucket),
        against: bySdk(urls.storage, headers['x-api-key'], newBucket),
      },
      3,
    )
  } finally {
    await unwatched.close()
  }
}
