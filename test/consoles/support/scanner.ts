import type { Page } from './console.ts'

/** Between two keys, in seconds, as the keys themselves say: however busy this machine is. */
const scannersPace = 0.005

const keyOf = (char: string) => ({ key: char, text: char, unmodifiedText: char })
const enter = { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 }

/** A hand scanner at a page: types a code into whatever has the focus, and presses Enter. */
export const connectScanner = async (page: Page) => {
  const protocol = await page.context().newCDPSession(page)
  return async (code: string) => {
    let timestamp = Date.now() / 1000
    const keys = [...[...code].map(keyOf), enter]
    await Promise.all(
      keys.flatMap((key) => {
        timestamp += scannersPace
        return (['keyDown', 'keyUp'] as const).map((type) =>
          protocol.send('Input.dispatchKeyEvent', {
            type,
            ...(type === 'keyDown' ? key : { key: key.key }),
            timestamp,
          }),
        )
      }),
    )
  }
}

/** Types as people do, who need a while for each key, and presses Enter. */
export const typeByHand = async (page: Page, text: string) => {
  for (const key of [...text, 'Enter']) {
    await page.waitForTimeout(60)
    await page.keyboard.press(key)
  }
}
