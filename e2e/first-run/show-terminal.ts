// Shows what a terminal printed as a page, to take its picture.

import type { Page } from 'playwright-core'

const STYLE = `
  body { margin: 0; padding: 32px; background: #f4f1ee; }
  pre {
    margin: 0; padding: 24px; border-radius: 12px; background: #221f1c; color: #f3eee9;
    font: 14px/1.55 'DejaVu Sans Mono', monospace; white-space: pre-wrap; overflow-wrap: anywhere;
  }`

export async function showTerminal(page: Page, command: string, output: string): Promise<void> {
  await page.setContent(`<style>${STYLE}</style><pre></pre>`)
  await page.locator('pre').evaluate((element, text) => (element.textContent = text), `$ ${command}\n${output}`)
}
