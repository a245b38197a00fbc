import { describe, expect, it } from 'vitest'
import { findViolations } from '../harness/axe.ts'
import { theOrganization } from '../harness/fill.ts'
import { goOn, visit } from '../harness/people.ts'
import { readCurl } from '../harness/read-curl.ts'
import type { Playground } from '../harness/start-playground.ts'

export function playgroundAsking(playground: Playground): void {
  const { system, page } = playground

  describe('asking', () => {
    it('calls the API with one key that only exists in memory, and a new one if it becomes invalid', async () => {
      await playground.open()
      const made: string[] = []
      page.on('request', (request) => void (request.url().endsWith('/playground-key') && made.push(request.url())))
      const called = page.waitForRequest('**/openai/v1/chat/completions')
      await playground.ask({ text: 'one' })
      const { authorization } = await (await called).allHeaders()
      const secret = authorization!.replace('Bearer ', '')
      expect(secret.length).toBeGreaterThan(20)
      const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])')
      expect(kept).not.toContain(secret)
      await playground.ask({ text: 'two' })
      expect(made).toHaveLength(1)
      const error = { message: 'No', type: 'invalid_request_error', param: null, code: 'invalid_api_key' }
      let refusals = 1
      // Chromium may forget the next request if the route ends after the first (`times`), so it stays and lets the others through.
      await page.route('**/openai/v1/chat/completions', async (route) =>
        refusals-- > 0 ? route.fulfill({ status: 401, json: { error } }) : route.continue(),
      )
      await playground.ask({ text: 'three' })
      expect(made).toHaveLength(2)
      expect(playground.lastMessages).toStrictEqual(['Hi', 'one', 'Hi', 'two', 'Hi'])
      await goOn(page, '/keys')
      await page.getByText('No keys yet').waitFor()
    })

    it('sends every field you set', async () => {
      await playground.open()
      await playground.openSettings('Advanced sampling', 'Response format', 'Tools', 'Log probabilities')
      await page.getByLabel('System message').fill('Be brief')
      for (const [label, value] of Object.entries({
        Temperature: '0.3',
        'Top p': '0.9',
        'Max tokens': '77',
        'Choices (n)': '2',
        'Frequency penalty': '0.5',
        'Presence penalty': '-0.5',
        'Stop sequences': 'END\n\\n\\n',
        'Logit bias': '{"42": 7}',
      }))
        await page.getByLabel(label).fill(value)
      await page.getByLabel('Reasoning effort').selectOption('high')
      await page.getByLabel('Response format').selectOption('json_object')
      await page.getByRole('button', { name: 'Use sample' }).click()
      await page.getByLabel('Tool choice').selectOption('none')
      await page.getByLabel('Log probabilities').check()
      await page.getByLabel('Alternatives per token').selectOption('2')
      await page.getByLabel('Web search').check()
      await page.getByLabel('Search context size').selectOption('low')
      await playground.ask({ text: '{}' })
      expect(playground.lastRequest).toMatchObject({
        model: 'able',
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'user', content: 'Hi' },
        ],
        temperature: 0.3,
        topP: 0.9,
        maxTokens: 77,
        n: 2,
        frequencyPenalty: 0.5,
        presencePenalty: -0.5,
        stop: ['END', '\n\n'],
        logitBias: { 42: 7 },
        reasoningEffort: 'high',
        responseFormat: { type: 'json_object' },
        tools: [{ name: 'get_weather' }],
        toolChoice: 'none',
        logprobs: { top: 2 },
        webSearch: { contextSize: 'low' },
      })
    })

    it('shows an error at the field as you type, and sends nothing until it is gone', async () => {
      await playground.open()
      await page.getByLabel('Temperature').fill('3')
      await page.getByText('Must be from 0 to 2').waitFor()
      await page.getByText('Fix the highlighted setting to send.').waitFor()
      await page.getByLabel('Your message').fill('Hi')
      await expect.poll(async () => page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
      await page.keyboard.press('Enter')
      expect(await playground.answers.count()).toBe(0)
      await page.getByLabel('Temperature').fill('2')
      await playground.openSettings('Response format')
      await page.getByLabel('Response format').selectOption('json_schema')
      await page.getByLabel('JSON schema', { exact: true }).fill('{"type": "object"')
      await page.getByText(/Invalid JSON/).waitFor()
      await page.getByRole('button', { name: 'Use sample' }).click()
      const answer = await playground.ask({ text: '{"title": "# no heading"}' })
      expect(playground.lastRequest.responseFormat).toMatchObject({ type: 'json_schema', name: 'answer' })
      expect(await answer.getByRole('heading').count()).toBe(0)
      await answer.getByText('{"title": "# no heading"}').waitFor()
    })
  })

  describe('the code dialog', () => {
    it('makes the same call in a shell, whatever the text contains', async () => {
      const text = `It's "$HOME" \`id\` $(id) \\ \u202E end'; exit`
      await playground.open()
      await page.getByLabel('Temperature').fill('0.5')
      await playground.ask({ text: 'Fine' }, text)
      const made = playground.lastRequest
      await page.getByRole('button', { name: 'View code' }).click()
      const command = await page.getByLabel('curl code', { exact: true }).innerText()
      const key = await system.newKey(page, await theOrganization(system.store), 'From a shell')
      const { url, method, headers, body } = await readCurl(command, { HEARTH_API_KEY: key })
      expect(url).toBe(`${system.origin}/openai/v1/chat/completions`)
      const response = await fetch(url, { method, headers, body: body! })
      expect(await response.text()).toContain('[DONE]')
      expect(playground.lastRequest).toStrictEqual(made)
      await page.getByRole('tab', { name: 'Python' }).click()
      await page.getByLabel('Python code', { exact: true }).waitFor()
      await page.getByRole('tab', { name: 'TypeScript' }).click()
      expect(await page.getByLabel('TypeScript code', { exact: true }).innerText()).toContain('temperature: 0.5')
      expect(await findViolations(page)).toStrictEqual([])
      await page.keyboard.press('Escape')
    })
  })

  describe('the page', () => {
    it('shows its settings in a sheet on a phone', async () => {
      const phone = await system.ownersPage({ viewport: { width: 375, height: 812 } })
      await visit(phone, '/playground?open=able')
      await phone.getByRole('button', { name: 'Settings' }).click()
      await phone.getByRole('dialog').getByLabel('Temperature').fill('1')
      expect(await findViolations(phone)).toStrictEqual([])
      await phone.keyboard.press('Escape')
      await phone.getByLabel('Your message').fill('Hi')
      await phone.keyboard.press('Enter')
      await phone.getByText('Complete stop').waitFor()
      expect(playground.lastRequest.temperature).toBe(1)
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(375)
      await phone.context().close()
    })
  })
}
