import type { Page } from 'playwright-core'
import { createStorage } from '#sdk/index.ts'
import { openBrowser, openingRate, signedIn } from '../browser.ts'
import { compare, type Result } from '../measure.ts'
import { call, type Trivet } from '../system.ts'
import { prepare } from './account.ts'
import { fillBucket } from './crowd.ts'

const files = 1_000
const fileBytes = 4096
/** As many as the console sends: browsers open six connections to a server, and one carries events. */
const atOnce = 5

type Bucket = { id: string }

/**
 * Files that are dropped on the list of a new bucket, until all of them are stored. A page that is watched, as Playwright
 * does, spends about twice the time on each request that it takes otherwise.
 */
const byConsole = (page: Page, root: string, newBucket: () => Promise<Bucket>) => async () => {
  const { id } = await newBucket()
  await page.goto(`${root}/buckets/${id}`)
  await page.locator('main .state').first().waitFor()
  const began = performance.now()
  await page.evaluate(`{
    const transfer = new DataTransfer()
    for (let n = 0; n < ${files}; n++) transfer.items.add(new File(['x'.repeat(${fileBytes})], n + '.txt'))
    const zone = document.querySelector('main .state')
    for (const type of ['dragenter', 'dragover', 'drop'])
      zone.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }`)
  await page
    .getByRole('region', { name: 'Uploads' })
    .getByText('1,000 files uploaded')
    .waitFor({ timeout: 120_000 })
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
      bar: 1 / 1.5,
      subject: openingRate(page, root, many),
      against: openingRate(page, root, few),
    })
    yield await compare(
      {
        name: '1,000 files of 4 KiB in one drop',
        limit: 'the same by the SDK in Node',
        bar: 0.5,
        subject: byConsole(page, root, newBucket),
        against: bySdk(urls.storage, headers['x-api-key'], newBucket),
      },
      3,
    )
  } finally {
    await browser.close()
  }
}
