import type { Shot } from './shot.ts'

/** The pictures of the pages of publishing. */
export const publishingShots: Shot[] = [
  {
    name: 'publishing-light',
    colorScheme: 'light',
    async show(page) {
      await page.goto(new URL('/', page.url()).href)
      await page.getByRole('heading', { name: 'Explore' }).waitFor()
    },
  },
  {
    name: 'publishing-dark',
    colorScheme: 'dark',
    async show(page) {
      await page.goto(new URL('/@mira', page.url()).href)
      await page.getByRole('heading', { name: 'Mira Okafor' }).waitFor()
    },
  },
]
