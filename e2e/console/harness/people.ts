// Steps that many tests share.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ORGANIZATION, OWNER } from './start-console.ts'

/** Opens a page and waits for its list or empty state. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  await page.locator('.waiting').first().waitFor({ state: 'detached' })
}

/** Goes on to another page without loading the console again, which takes much longer than showing a page. */
export async function goOn(page: Page, path: string): Promise<void> {
  await page.evaluate('document.querySelectorAll("h1").forEach((heading) => heading.setAttribute("data-left", ""))')
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
  await page.locator('h1:not([data-left])').first().waitFor()
  await expect.poll(async () => page.locator('h1[data-left], .waiting').count()).toBe(0)
}

/** Fills in the form for the first owner, and sends it. */
export async function createOwner(page: Page): Promise<void> {
  await page.getByLabel('Organization').fill(ORGANIZATION)
  await page.getByLabel('Your name').fill(OWNER.name)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password').fill(OWNER.password)
  await page.getByRole('button', { name: 'Create owner account' }).click()
}

export async function chooseInMenu(page: Page, button: string | RegExp, item: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click()
  const items = page.getByRole('menuitem', { name: item })
  await items.or(page.getByRole('menuitemradio', { name: item })).click()
}

/** Types the name that a dialog asks for and clicks its button. */
export async function confirmByName(page: Page, name: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog').last()
  const button = dialog.getByRole('button', { name: action })
  expect(await button.isDisabled()).toBe(true)
  await dialog.getByLabel('Name').fill(name)
  await button.click()
  await dialog.waitFor({ state: 'detached' })
}

export async function rowCount(page: Page, label: string): Promise<number> {
  return page.getByRole('table', { name: label }).locator('tbody tr').count()
}

/** The texts of a column, top to bottom. */
export async function column(page: Page, label: string, title: string): Promise<string[]> {
  const cells = page.getByRole('table', { name: label }).locator(`tbody td[data-title="${title}"]`)
  return cells.allInnerTexts()
}

export async function toast(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('status').getByText(text).last().waitFor()
}
