import type { Shot } from './shot.ts'

const members = { subjectType: 'role', subjectId: 'member' }
const statements = [
  { effect: 'allow', action: 'object.read', resourceType: 'object', resourceId: '2025/*', ...members },
  { effect: 'deny', action: 'object.delete', resourceType: 'object', resourceId: '2026/*', ...members },
  {
    effect: 'deny',
    action: 'object.purge',
    resourceType: 'object',
    resourceId: '*',
    subjectType: 'role',
    subjectId: 'admin',
  },
  {
    effect: 'allow',
    action: 'object.write',
    resourceType: 'object',
    resourceId: 'drafts/*',
    ...members,
    conditions: { ipCidr: '10.0.0.0/8', maxSizeBytes: 10_485_760 },
  },
]

/** The pictures of the storage console. */
export const storageShots: Shot[] = [
  {
    name: 'console-light',
    colorScheme: 'light',
    async show(page) {
      await page.getByRole('link', { name: 'photos' }).click()
      await page.waitForURL(/buckets\/[\w-]{36}/)
      await page.goto(`${page.url().split('?')[0]}?prefix=2026%2Fdusk%2F&object=2026%2Fdusk%2Fharbour-1.png`)
      await page.getByRole('dialog').locator('img').waitFor()
    },
  },
  {
    name: 'console-dark',
    colorScheme: 'dark',
    async show(page) {
      await page.getByRole('link', { name: 'contracts' }).click()
      await page.getByRole('tab', { name: 'Policy' }).click()
      await page.getByRole('button', { name: 'JSON' }).click()
      await page.getByLabel('Statements', { exact: true }).fill(JSON.stringify(statements))
      await page.getByRole('button', { name: 'Save policy' }).click()
      await page.getByText('Policy saved').waitFor()
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.getByLabel('Object').fill('2026/tern-and-sons.pdf')
      await page.getByLabel('Action').selectOption('object.delete')
      await page.getByRole('button', { name: 'Simulate' }).click()
      await page.getByText('Decided by this statement').waitFor()
      await page.getByRole('heading', { name: 'contracts' }).click()
    },
  },
]
