import { describe, expect, it } from 'vitest'
import { findViolations } from '../harness/axe.ts'
import { theOrganization } from '../harness/fill.ts'
import { chooseInMenu, toast, visit } from '../harness/people.ts'
import type { Playground } from '../harness/start-playground.ts'

export function playgroundConversations(playground: Playground): void {
  const { system, page, device } = playground

  const textFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  const list = page.getByRole('dialog', { name: 'Conversations' })
  const openList = async () => page.getByRole('button', { name: /^Conversations/ }).click()

  describe('conversations', () => {
    it('are renamed and deleted, and come back with Undo', async () => {
      await playground.open()
      await playground.ask({ text: 'Precious' }, 'Keep me')
      await openList()
      await chooseInMenu(page, 'Actions for Keep me', 'Rename')
      await page.getByLabel('Name', { exact: true }).fill('Renamed')
      await page.getByRole('button', { name: 'Rename', exact: true }).click()
      await chooseInMenu(page, 'Actions for Renamed', 'Delete')
      await toast(page, 'Conversation deleted')
      await list.getByText('New conversation').last().waitFor()
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await list.getByText('Renamed').waitFor()
      await page.keyboard.press('Escape')
      await playground.answers.getByText('Precious').waitFor()
    })

    it('drop what comes after an earlier turn that is edited or retried, and bring it back', async () => {
      await playground.open()
      for (const [question, text] of [
        ['One?', 'one'],
        ['Two?', 'two'],
        ['Three?', 'three'],
      ] as const)
        await playground.ask({ text }, question)
      device.plan = { text: 'again' }
      await playground.answers.nth(1).hover()
      await playground.answers.nth(1).getByRole('button', { name: 'Retry' }).click()
      await toast(page, '2 later messages removed')
      await playground.answers.getByText('again').waitFor()
      expect(playground.lastMessages).toStrictEqual(['One?', 'one', 'Two?'])
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await playground.answers.getByText('three').waitFor()
      await page.getByRole('article', { name: 'You' }).first().hover()
      await page.getByRole('button', { name: 'Edit message' }).first().click()
      await page.getByText('Replaces the response and removes 4 later messages.').waitFor()
      await page.getByLabel('Message', { exact: true }).fill('Uno?')
      await page.getByRole('button', { name: 'Send again' }).click()
      await expect.poll(() => playground.lastMessages).toStrictEqual(['Uno?'])
      await expect.poll(async () => playground.answers.count()).toBe(1)
    })

    it('take their settings from a preset, which a link shares; a broken link changes nothing', async () => {
      await playground.open()
      await page.getByLabel('System message').fill('Answer in rhyme.')
      await page.getByRole('button', { name: 'Presets' }).click()
      const presets = page.getByRole('dialog', { name: 'Presets' })
      await presets.getByLabel('Name').fill('Rhymes')
      await presets.getByRole('button', { name: 'Save current settings' }).click()
      await presets.getByRole('button', { name: /^Rhymes\s*able/ }).waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      await page.keyboard.press('Escape')
      const shared = { name: 'Prose', model: 'plain', settings: { system: 'No rhymes.' } }
      await page.goto(`/playground?open=able#preset=${encodeURIComponent(JSON.stringify(shared))}`)
      const offer = page.getByRole('dialog', { name: 'Shared preset Prose' })
      await offer.getByText('No rhymes.').waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      expect(await page.getByLabel('System message').inputValue()).toBe('Answer in rhyme.')
      await offer.getByRole('button', { name: 'Use preset' }).click()
      await expect.poll(async () => page.getByLabel('System message').inputValue()).toBe('No rhymes.')
      await expect.poll(() => new URL(page.url()).search + new URL(page.url()).hash).toBe('?open=plain')
      await page.getByRole('button', { name: 'Presets' }).click()
      await presets.getByRole('button', { name: /^Rhymes/ }).click()
      await expect.poll(async () => page.getByLabel('System message').inputValue()).toBe('Answer in rhyme.')
      await page.goto('/playground?open=able#preset=%7B%22name')
      const rejected = page.getByRole('dialog', { name: 'Can’t use this preset' })
      await rejected.getByText('The link is damaged or was cut off.').waitFor()
      await rejected.getByRole('button', { name: 'Close' }).click()
      await rejected.waitFor({ state: 'detached' })
      expect(await page.getByLabel('System message').inputValue()).toBe('Answer in rhyme.')
    })

    it('let you edit the last message with the arrow key', async () => {
      await playground.open()
      await playground.ask({ text: 'one' }, 'Wher?')
      await page.getByLabel('Your message').press('ArrowUp')
      const field = page.getByLabel('Message', { exact: true })
      await expect.poll(async () => field.inputValue()).toBe('Wher?')
      await field.press('Backspace')
      await page.keyboard.type('e?')
      await field.press('Control+Enter')
      await expect.poll(() => playground.lastMessages).toStrictEqual(['Where?'])
    })
  })

  describe('a comparison', () => {
    it('asks two models at once, side by side, and closes', async () => {
      await playground.open()
      await playground.ask({ text: 'Before' }, 'Hello')
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByLabel('Second model').waitFor()
      device.plan = ({ model }) => ({ text: ['I ', 'am ', 'the ', `model ${model}`] })
      await playground.say('Who are you?')
      const [first, second] = ['Model 1', 'Model 2'].map((name) => page.getByRole('region', { name, exact: true }))
      await first!.getByText('I am the model able').waitFor()
      await second!.getByText('I am the model plain').waitFor()
      expect(playground.lastMessages).toStrictEqual(['Hello', 'Before', 'Who are you?'])
      for (const column of [first!, second!]) await column.getByText('Time to first token').last().waitFor()
      const boxes = await Promise.all([first!.boundingBox(), second!.boundingBox()])
      expect(boxes[0]!.y).toBe(boxes[1]!.y)
      expect(boxes[1]!.x).toBeGreaterThanOrEqual(boxes[0]!.x + boxes[0]!.width)
      expect(await findViolations(page)).toStrictEqual([])
      await page.getByRole('button', { name: 'Stop comparing able' }).click()
      await toast(page, 'Comparison closed')
      await expect.poll(async () => playground.model.inputValue()).toBe('plain')
      await playground.answers.getByText('I am the model plain').waitFor()
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await first!.getByText('I am the model able').waitFor()
    })
  })

  describe('attached files', () => {
    it('are chosen, dropped, pasted and removed, and go into the prompt', async () => {
      await playground.open()
      const files = page.getByRole('list', { name: 'Attached files' })
      await page.getByLabel('Files to attach').setInputFiles([textFile('a.txt', 'Alpha'), textFile('b.txt', 'Beta')])
      await files.getByText('a.txt').waitFor()
      expect(await files.getByRole('listitem').first().innerText()).toMatch(/a\.txt\s*5 B/)
      await files.getByRole('button', { name: 'Remove b.txt' }).click()
      await page.getByLabel('Files to attach').setInputFiles([textFile('image.png', '\u0000PNG')])
      await toast(page, /image.png is not a text file/)
      for (const kind of ['drop', 'paste'])
        await page.getByLabel('Your message').evaluate((field, type) => {
          const view = field.ownerDocument.defaultView!
          const data = new view.DataTransfer()
          data.items.add(new view.File([`by ${type}`], `${type}.md`))
          const options = { bubbles: true, cancelable: true }
          const event =
            type === 'drop'
              ? new view.DragEvent(type, { ...options, dataTransfer: data })
              : new view.ClipboardEvent(type, { ...options, clipboardData: data })
          field.dispatchEvent(event)
        }, kind)
      await files.getByText('paste.md').waitFor()
      await files.getByText('drop.md').waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      await playground.ask({ text: 'Read.' }, 'What do they say?')
      const [content] = playground.lastMessages
      expect(content).toMatch(
        /^File: a\.txt\n```\nAlpha\n```\n\nFile: .*by (drop|paste).*by (drop|paste).*\n\nWhat do they say\?$/s,
      )
      await page.getByRole('article', { name: 'You' }).getByText('a.txt').waitFor()
      expect(
        await page
          .locator('form', { has: page.getByLabel('Your message') })
          .getByText('a.txt')
          .count(),
      ).toBe(0)
    })
  })

  describe('the model', () => {
    it('is named if it is disabled or unknown, and never replaced without a word', async () => {
      await visit(page, '/playground?open=no-such-model')
      await page.getByRole('alert').getByText('no-such-model is not one of your models.').waitFor()
      await page.getByLabel('Your message').fill('Hi')
      await page.keyboard.press('Enter')
      await page.getByText('Choose another model to send.').waitFor()
      expect(await playground.answers.count()).toBe(0)
      await playground.open('plain')
      await playground.ask({ text: 'fine' })
      const organization = await theOrganization(system.store)
      await system.store.disableModel({ organization, name: 'plain' })
      await page.getByRole('alert').getByText('plain is disabled.').waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      await page.getByRole('button', { name: 'Use able' }).click()
      await playground.ask({ text: 'still here' })
      expect(playground.lastRequest.model).toBe('able')
      await system.store.enableModel({ organization, name: 'plain' })
    })

    it('stays the one that the page suggested, and shows in the URL', async () => {
      await visit(page, '/playground')
      await expect.poll(() => new URL(page.url()).search).toBe('?open=able')
      const organization = await theOrganization(system.store)
      await system.store.disableModel({ organization, name: 'able' })
      await page.getByRole('alert').getByText('able is disabled.').waitFor()
      expect(await playground.model.inputValue()).toBe('able')
      await system.store.enableModel({ organization, name: 'able' })
      await page.getByText('Served by 1 device').waitFor()
    })

    it('is reported while it has no device, loads, or reads the prompt', async () => {
      await playground.open('absent')
      await playground.say('Anyone?')
      await playground.answers.getByText('No device serves this model right now.').waitFor()
      await page.keyboard.press('Escape')
      await playground.open('able')
      device.plan = { progress: ['loading'], stall: { at: 0, until: new Promise(() => {}) } }
      const before = device.jobs.length
      await playground.say('Read this')
      await playground.answers.getByText(/Loading the model on Desk(, about .+?)?\. The first request/).waitFor()
      const { id: job, attempt } = await device.job(before)
      device.send({ type: 'job-progress', job, attempt, phase: 'prompt', done: 1200, total: 4000 })
      await playground.answers.getByText('Reading the prompt on Desk: 1,200 of 4,000 tokens').waitFor()
      await page.keyboard.press('Escape')
      await playground.answers.getByText(/^Stopped/).waitFor()
    })
  })

  describe('a response that stalls', () => {
    it('says so, and if it is stopped, says why, is copied and continued', async () => {
      await playground.open()
      device.plan = { text: ['One ', 'two'], stall: { at: 1, until: new Promise(() => {}) } }
      await playground.say('Count')
      await playground.answers.getByText('One').waitFor()
      await playground.answers.getByText('No new text from Desk. If it went away, another device continues').waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      await page.keyboard.press('Escape')
      await playground.answers.getByText(/^Stopped after .* s without new text from Desk\.$/).waitFor()
      await playground.answers.getByRole('button', { name: 'Copy response' }).waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      device.plan = { text: 'two, three' }
      await playground.answers.getByRole('button', { name: 'Continue' }).click()
      await playground.answers.getByText('two, three').waitFor()
      expect(playground.lastMessages).toStrictEqual(['Count', 'One ', 'Continue exactly where you stopped.'])
    })
  })

  describe('a response', () => {
    it('is requested with Enter, while Shift+Enter adds a line; it is cleared, and comes back with Undo', async () => {
      await playground.open()
      device.plan = { text: 'Precious' }
      const field = page.getByLabel('Your message')
      await field.pressSequentially('One')
      await field.press('Shift+Enter')
      await field.pressSequentially('two')
      await field.press('Enter')
      await playground.answers.getByText('Complete').waitFor()
      expect(playground.lastRequest.messages).toMatchObject([{ content: 'One\ntwo' }])
      await expect.poll(async () => field.inputValue()).toBe('')
      await page.getByRole('button', { name: 'Clear' }).click()
      await toast(page, 'Conversation cleared')
      await expect.poll(async () => playground.answers.count()).toBe(0)
      await page.getByRole('button', { name: 'Undo' }).click()
      await playground.answers.getByText('Precious').waitFor()
    })

    it('shows choices side by side, and continues with the selected one', async () => {
      await playground.open()
      await playground.openSettings('Advanced sampling')
      await page.getByLabel('Choices (n)').fill('3')
      const answer = await playground.ask({ text: 'Same' })
      await answer.getByRole('region', { name: 'Choice 3' }).getByText('Complete').waitFor()
      const boxes = await answer
        .getByRole('region')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      expect(boxes[0]).toBe(boxes[1])
      await answer.getByRole('region', { name: 'Choice 2' }).getByRole('radio').check()
      await page.getByLabel('Choices (n)').fill('')
      await playground.ask({ text: 'Next' })
      expect(playground.lastMessages).toStrictEqual(['Hi', 'Same', 'Hi'])
    })

    it('colors tokens by probability, with alternatives for mouse and keyboard', async () => {
      await playground.open()
      await playground.openSettings('Log probabilities')
      await page.getByLabel('Log probabilities').check()
      const answer = await playground.ask({ text: ['One', ' two'] })
      const card = answer.locator('.token-card')
      await answer.locator('.token').first().hover()
      expect((await card.innerText()).split('\n').slice(0, 2)).toStrictEqual(['"One"', '77.9%'])
      await page.mouse.move(0, 0)
      await card.waitFor({ state: 'detached' })
      await answer.getByRole('application').focus()
      await page.keyboard.press('End')
      await card.getByText('" two"').first().waitFor()
      await page.keyboard.press('ArrowLeft')
      await card.getByText('"One"').first().waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      await page.getByRole('button', { name: 'Plain text' }).click()
      await answer.getByText('One two').waitFor()
    })

    it('lists its sources, and asks before it opens one', async () => {
      await playground.open()
      await playground.openSettings('Log probabilities')
      await page.getByLabel('Web search').check()
      const annotations = [{ url: 'https://example.com/a?b=c', title: 'The example', start: 0, end: 5 }]
      const answer = await playground.ask({ text: 'Found.', annotations })
      await answer.getByRole('button', { name: 'The example' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('https://example.com/a?b=c').waitFor()
      const link = dialog.getByRole('link')
      expect([await link.getAttribute('rel'), await link.getAttribute('target')]).toStrictEqual([
        'noopener noreferrer',
        '_blank',
      ])
      await dialog.getByRole('button', { name: 'Stay here' }).click()
      await dialog.waitFor({ state: 'detached' })
    })
  })

  describe('asking', () => {
    it('lists the enabled models, shows which have a device, and marks settings that none of them supports', async () => {
      await playground.open('plain')
      const groups = playground.model.locator('optgroup')
      const listed = await groups.evaluateAll((all) =>
        all.map((group) => [group.getAttribute('label'), ...[...group.children].map(({ textContent }) => textContent)]),
      )
      expect(listed).toStrictEqual([
        ['Ready', 'able', 'plain'],
        ['No device', 'absent'],
      ])
      const note = page.getByText('No device serving this model supports this.')
      await playground.openSettings('Advanced sampling', 'Response format', 'Tools', 'Log probabilities')
      await page.getByLabel('Response format').selectOption('json_schema')
      await expect.poll(async () => note.count()).toBe(7)
      await playground.model.selectOption('able')
      await note.first().waitFor({ state: 'detached' })
      await page.getByText('Served by 1 device · context 32K · 0 of 4 slots in use').waitFor()
      await playground.model.selectOption('absent')
      await page.getByText('No device serves this model right now.').waitFor()
      expect(await note.count()).toBe(0)
      await expect.poll(() => new URL(page.url()).search).toBe('?open=absent')
    })
  })

  describe('what a response looks like', () => {
    it('has typeset formulas and colored code', async () => {
      await playground.open()
      const text = 'Mass: $E = mc^2$, for $5 or $6.\n\n\\[ \\sqrt{2} \\]\n\n```python\nprint("hi")\n```\n'
      const answer = await playground.ask({ text })
      await answer.locator('math').first().waitFor({ state: 'attached' })
      expect(await answer.locator('math').count()).toBe(2)
      await answer.getByText('for $5 or $6.').waitFor()
      await answer.locator('.hljs-string').getByText('"hi"').waitFor()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await findViolations(page)).toStrictEqual([])
      }
    })

    it('says why it shows no tokens, and turns on log probabilities', async () => {
      await playground.open()
      await playground.ask({ text: ['One', ' two'] })
      await page.getByRole('button', { name: 'Tokens' }).click()
      await page.getByText('The tokens view needs log probabilities, which are off.').waitFor()
      await page.getByRole('button', { name: 'Turn on for the next response' }).click()
      const answer = await playground.ask({ text: ['Three', ' four'] })
      await answer.locator('.token').first().waitFor()
      await playground.model.selectOption('plain')
      await page.getByText(/no device serving plain supports them/).waitFor()
    })
  })
}
