import type { Page } from 'playwright-core'
import { findViolations } from './axe.ts'
import { goOn, visit } from './people.ts'

/** What people see every day. */
export const MAIN_PAGES = [
  '/',
  '/models',
  '/devices',
  '/keys',
  '/members',
  '/playground',
  '/usage',
  '/audit',
  '/settings',
  '/account',
]

export const PAGES = [
  ...MAIN_PAGES,
  '/devices/approve',
  '/help',
  '/help/clients/langchain',
  '/help/api/public',
  '/help/api/console/account',
  '/no-such-page',
]

/** What axe finds, by page. */
export async function violations(page: Page, paths: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [index, path] of paths.entries()) {
    await (index === 0 ? visit(page, path) : goOn(page, path))
    const here = await findViolations(page)
    if (here.length > 0) found[path] = here
  }
  return found
}
