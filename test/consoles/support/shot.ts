import type { Page } from 'playwright-core'

/** A picture of a console: its file in docs/images, and how to come to what it shows. */
export type Shot = { name: string; colorScheme: 'light' | 'dark'; show: (page: Page) => Promise<void> }
