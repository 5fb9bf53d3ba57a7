import type { Page } from 'playwright-core'
import type { Shot } from './shot.ts'

const go = async (page: Page, path: string) => {
  await page.goto(`${new URL(page.url()).origin}/console${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Opens the newest order of a list. */
const openOrder = async (page: Page, list: string) => {
  await go(page, list)
  await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: /^ORD-/ }).waitFor()
}

const addLine = async (page: Page, product: string, quantity: string) => {
  await page.getByLabel('Product', { exact: true }).fill(product)
  await page.getByRole('option', { name: new RegExp(product) }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel(`Quantity of ${product}`).fill(quantity)
  await page.keyboard.press('Enter')
}

/** The pictures of the inventory console, for the README and for its guide. */
export const inventoryShots: Shot[] = [
  {
    name: 'inventory-light',
    colorScheme: 'light',
    async show(page) {
      await page.getByRole('table').first().waitFor()
    },
  },
  {
    name: 'inventory-dark',
    colorScheme: 'dark',
    async show(page) {
      await openOrder(page, '/orders?status=fulfilling')
      await page.getByText('Reserved').first().waitFor()
    },
  },
  {
    name: 'inventory-new-order',
    colorScheme: 'light',
    async show(page) {
      await go(page, '/orders/new')
      await page.getByPlaceholder('Name, company or email').fill('Mina')
      await page.getByRole('option', { name: /Mina/ }).waitFor()
      await page.keyboard.press('Enter')
      await addLine(page, 'Linen apron', '2')
      await addLine(page, 'Stoneware bowl', '3')
      await page.getByLabel('Product', { exact: true }).fill('mug')
      await page.getByRole('option', { name: /Enamel mug/ }).first().waitFor()
    },
  },
  {
    name: 'inventory-ship',
    colorScheme: 'light',
    async show(page) {
      await openOrder(page, '/orders?to_ship=true')
      await page.getByRole('button', { name: 'Ship', exact: true }).click()
      await page.getByRole('dialog', { name: 'Ship' }).waitFor()
    },
  },
  {
    name: 'inventory-why',
    colorScheme: 'light',
    async show(page) {
      await go(page, '/stock?search=mug')
      await page
        .getByRole('button', { name: /^Why/ })
        .first()
        .click()
      await page.getByRole('table', { name: 'Movements' }).getByRole('row').nth(3).waitFor()
    },
  },
  {
    name: 'inventory-reorder',
    colorScheme: 'light',
    async show(page) {
      await go(page, '/purchasing/reorder')
      await page.getByRole('table', { name: 'Suggestions' }).getByRole('row').nth(1).waitFor()
    },
  },
  {
    name: 'inventory-packing-slip',
    colorScheme: 'light',
    async show(page) {
      await openOrder(page, '/orders?status=fulfilling')
      await page.getByRole('link', { name: 'Packing slip' }).click()
      await page.getByRole('article').getByRole('img').waitFor()
    },
  },
]
