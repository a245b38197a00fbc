import { readFile } from 'node:fs/promises'
import { createKey } from '@hearth/gateway/testing'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from '../harness/axe.ts'
import { column, visit } from '../harness/people.ts'
import type { ConsoleSystem } from '../harness/start-console.ts'

const HOUR_MS = 3_600_000
const FORMULA = '=HYPERLINK("https://evil.example")'
const REQUEST = 'req_0123456789abcdef0123456789abcdef'
const EMAIL = 'of-usage@example.test'

interface Used {
  key: string
  model: string
  device?: string
  hoursAgo: number
  requests: number
  errors?: number
  waitMs?: number
}

export function usagePage(system: ConsoleSystem): void {
  let page: Page
  let organization: string

  beforeAll(async () => {
    ;({ page, organization } = await system.newOrganization(EMAIL))
  })

  async function use(...used: readonly Used[]): Promise<void> {
    const rows = used.map(({ hoursAgo, requests, device = '', errors = 0, waitMs = 0, ...rest }) => ({
      ...rest,
      organization,
      device,
      requests,
      errors,
      waitMs,
      busyMs: 0,
      hour: new Date((Math.floor(Date.now() / HOUR_MS) - hoursAgo) * HOUR_MS),
      promptTokens: requests * 10,
      completionTokens: requests * 5,
    }))
    await system.store.addUsage(rows)
  }

  async function makeKey(name: string, createdBy: string): Promise<string> {
    const { digest, hint } = createKey()
    return (await system.store.createKey({ organization, createdBy, name, digest, hint })).id
  }

  /** The page stays loaded: only its period and groups change. */
  async function show(range: string, by = 'By model'): Promise<void> {
    await page.getByRole('button', { name: range, exact: true }).click()
    await page.getByRole('button', { name: by, exact: true }).click()
    await page.getByRole('table', { name: /^Usage by/ }).waitFor()
  }

  function tileOf(title: string) {
    return page.getByRole('group', { name: 'Metric' }).getByRole('button', { name: new RegExp(`^${title}`) })
  }

  /** The number in a tile. */
  async function tile(title: string): Promise<string> {
    return tileOf(title).locator('span').nth(1).innerText()
  }

  describe('without usage', () => {
    it('explains what will appear, and where to start', async () => {
      await visit(page, '/usage')
      await page.getByText('No requests in this period').waitFor()
      expect(await page.getByRole('button', { name: 'Export CSV' }).isDisabled()).toBe(true)
      await page.getByRole('link', { name: 'Try a model in the playground' }).click()
      await page.getByRole('heading', { name: 'Playground' }).waitFor()
    })
  })

  describe('with usage', () => {
    let member: Page

    beforeAll(async () => {
      member = await system.newMember(page, organization, { name: 'Grace', email: 'of-grace@example.test' })
      const members = await system.store.listMembers(organization)
      const personOf = (email: string) => members.find((one) => one.email === email)!.person
      const keys = [
        await makeKey('Support chat', personOf(EMAIL)),
        await makeKey('Of Grace', personOf('of-grace@example.test')),
      ] as const
      await use(
        { key: keys[0], model: 'able', hoursAgo: 0, requests: 10, waitMs: 2000 },
        { key: keys[0], model: 'able', hoursAgo: 3, requests: 2, errors: 1 },
        { key: keys[1], model: FORMULA, hoursAgo: 1, requests: 3 },
        { key: keys[0], model: 'able', hoursAgo: 24 * 5, requests: 100 },
        { key: keys[0], model: 'old', hoursAgo: 24 * 20, requests: 1000 },
      )
      const place = { organization, key: keys[0], model: 'able', device: '' }
      const times = { waitMs: 1, firstTokenMs: 2, totalMs: 3, attempts: 1, isStream: true, isSealed: false }
      const tokens = { promptTokens: 4, completionTokens: 5 }
      const request = { at: new Date(), request: REQUEST, code: '', ...place, ...times, ...tokens, takeOver: undefined }
      const none = { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, waitMs: 0, busyMs: 0 }
      await system.store.addUsage([{ hour: request.at, ...place, ...none }], undefined, {
        codes: [],
        requests: [request],
      })
      await visit(page, '/usage')
    })

    it('shows the totals of the selected period', async () => {
      await show('24 hours')
      expect([await tile('Requests'), await tile('Tokens in'), await tile('Tokens out')]).toStrictEqual([
        '15',
        '150',
        '75',
      ])
      expect([await tile('Errors'), await tile('Average wait')]).toStrictEqual(['1', '133 ms'])
      await show('7 days')
      await expect.poll(async () => tile('Requests')).toBe('115')
      await show('30 days')
      await expect.poll(async () => tile('Requests')).toBe('1,115')
      await page.getByText('Days are in UTC.').waitFor()
    })

    it('groups by model, key or device', async () => {
      await show('7 days', 'By key')
      await expect.poll(async () => column(page, 'Usage by key', 'Key')).toStrictEqual(['Support chat', 'Of Grace'])
      await page.locator('.recharts-bar-rectangle').first().waitFor()
      expect(await page.locator('ul:has(+ details) li').allInnerTexts()).toStrictEqual(['Support chat', 'Of Grace'])
      await show('7 days', 'By device')
      await expect.poll(async () => column(page, 'Usage by device', 'Device')).toStrictEqual(['No device'])
      await tileOf('Average wait').click()
      await page.locator('.recharts-line').first().waitFor()
    })

    it('exports CSV, with nothing that a spreadsheet would run', async () => {
      await show('24 hours')
      const downloaded = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export CSV' }).click()
      const download = await downloaded
      expect(download.suggestedFilename()).toMatch(/^usage-by-model-\d{4}-\d\d-\d\d\.csv$/)
      const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
      expect(head).toContain('"time","model","model id","requests"')
      expect(lines).toHaveLength(3)
      expect(lines.find((line) => line.includes('HYPERLINK'))).toContain(`,"'=HYPERLINK(""https://evil.example"")",`)
    })

    it('lists requests by their IDs, and exports them', async () => {
      await show('24 hours')
      await expect.poll(async () => column(page, 'Requests', 'Request ID')).toStrictEqual([REQUEST])
      await page.getByLabel('Request ID').fill('another')
      await page.getByText('No requests match these filters.').waitFor()
      await page.getByLabel('Request ID').fill(REQUEST)
      const downloaded = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export requests' }).click()
      const download = await downloaded
      expect(download.suggestedFilename()).toMatch(/^requests-\d{4}-\d\d-\d\d\.csv$/)
      const [, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
      expect(lines).toStrictEqual([expect.stringContaining(REQUEST)])
    })

    it('can be read by keyboard and as a table', async () => {
      await show('24 hours')
      await tileOf('Requests').click()
      await page.locator('.recharts-bar-rectangle').first().waitFor()
      await page.locator('.recharts-surface').first().focus()
      await page.keyboard.press('ArrowRight')
      await page.locator('.recharts-tooltip-wrapper .card').waitFor()
      await page.getByText('Show as table').click()
      const table = page.getByRole('region', { name: 'Requests as a table' })
      await expect.poll(async () => table.locator('tbody tr').count()).toBe(3)
      expect(await table.locator('tbody tr').last().locator('td').allInnerTexts()).toStrictEqual(['10', '0'])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await findViolations(page)).toStrictEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
    })

    it('shows members only their own keys', async () => {
      await visit(member, '/usage')
      await member.getByText('of your own keys').waitFor()
      await member.getByRole('button', { name: 'By key' }).click()
      await member.getByRole('table', { name: 'Usage by key' }).waitFor()
      expect(await column(member, 'Usage by key', 'Key')).toStrictEqual(['Of Grace'])
    })
  })
}
