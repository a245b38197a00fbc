// Runs axe, which checks WCAG 2.2 A and AA and common good practice.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary?: string }[]
}

/** One line per violation. */
export async function findViolations(page: Page): Promise<string[]> {
  // It stays while the console goes from page to page.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(SOURCE)
  // Colors in the middle of a transition have the wrong contrast. SentRequest again and again: the promise of an animation whose element goes away
  // may never settle.
  const isMoving =
    'document.getAnimations().some(({ playState, effect }) => playState === "running" && effect.getTiming().iterations < 10)'
  await expect.poll(async () => page.evaluate(isMoving)).toBe(false)
  const violations = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)',
  )) as Violation[]
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}
