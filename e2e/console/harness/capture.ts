import type { Page } from 'playwright-core'

/** Playwright itself knows no WebP, which is half the size of its other formats. */
export async function captureWebP(page: Page, quality: number): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality })
  await browser.detach()
  return Buffer.from(data, 'base64')
}
