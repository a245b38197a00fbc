import { describe, expect, it } from 'vitest'
import { Playground } from '../harness/start-playground.ts'

/** Replies that ended the tab or held it for seconds. */
const REPLIES: Record<string, string> = {
  'list markers': `${'- '.repeat(700)}x`,
  quotes: `${'>'.repeat(20_000)} x`,
  'begun formulas': '\\('.repeat(60_000),
  'a formula that defines commands': '$$\\def\\a#1{#1#1#1#1#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{xxxxxxxx}}}}}}$$',
  'a deep formula': `$$${'\\sqrt{'.repeat(600)}x${'}'.repeat(600)}$$`,
  'a formula with many cells': `$$\\begin{array}{c}${'&'.repeat(3_900)}\\end{array}$$\n\n`.repeat(20),
  'code that takes minutes to color': `\`\`\`markdown\n${'[a]('.repeat(4_000)}\n\`\`\``,
  'deep code': `\`\`\`js\n${'`${'.repeat(5_000)}\n\`\`\``,
  'many paragraphs': 'a\n\n'.repeat(40_000),
}

export function playgroundHostile(playground: Playground): void {
  const { page, device, system } = playground

  describe('a hostile response', () => {
    it('leaves the page alive, also when the conversation is opened again', async () => {
      await playground.open()
      for (const text of Object.values(REPLIES)) await playground.ask({ text: [text, '\n\nThe end.'] })
      await expect
        .poll(async () => (await playground.inBrowser()).match(/The end\./g)?.length)
        .toBe(Object.keys(REPLIES).length)
      await page.reload()
      const ends = playground.answers.getByText('The end.')
      await expect.poll(async () => ends.count()).toBe(Object.keys(REPLIES).length)
      await playground.answers.first().getByText(REPLIES['list markers']!).waitFor()
      expect(await playground.answers.first().locator('li').count()).toBe(0)
      const answer = await playground.ask({ text: 'Still *here*' })
      await answer.locator('em', { hasText: 'here' }).waitFor()
    })

    it('leaves the page alive while it streams, piece by piece', async () => {
      await playground.open()
      const answer = await playground.ask({ text: [...Array.from({ length: 3_000 }, () => '- *a '), 'The end.'] })
      await answer.getByText('The end.').waitFor()
    })

    it('is plain text once it failed, until you try again, and the others are not', async () => {
      const context = await system.browser.newContext({
        baseURL: system.origin,
        storageState: await page.context().storageState(),
      })
      const other = new Playground(system, await context.newPage(), device)
      // A stand-in for a fault in the browser that nobody knows yet.
      await context.addInitScript(`{
        const create = document.createElement
        document.createElement = function (name, ...rest) {
          if (name === 'blockquote' && !window.isMended) throw new Error('A fault')
          return create.call(this, name, ...rest)
        }
      }`)
      await other.open()
      const failed = await other.ask({ text: '> quoted' })
      await failed.getByText('> quoted').waitFor()
      await failed.getByText('Shown as plain text, because formatting it failed.').waitFor()
      const fine = await other.ask({ text: 'A *fine* one' })
      await fine.locator('em').waitFor()
      await other.page.reload()
      await failed.getByText('> quoted').waitFor()
      await fine.locator('em').waitFor()
      await other.page.evaluate('window.isMended = true')
      await failed.getByRole('button', { name: 'Try again' }).click()
      await failed.locator('blockquote').waitFor()
      await context.close()
    })

    it('is plain text if the page ended while it was formatted', async () => {
      await playground.open()
      const answer = await playground.ask({ text: 'A *fine* one' })
      await answer.locator('em').waitFor()
      await expect.poll(async () => page.evaluate("localStorage.getItem('hearth-unfinished')")).toBeNull()
      const begun = await page.context().newPage()
      // As the page leaves it when the browser ends the page in the middle.
      await begun.addInitScript(`Storage.prototype.removeItem = () => {}`)
      await begun.goto(page.url())
      await begun.getByText('A fine one').waitFor()
      await begun.close({ runBeforeUnload: false })
      await page.reload()
      await answer.getByText('A *fine* one').waitFor()
      await answer.getByRole('button', { name: 'Try again' }).click()
      await answer.locator('em').waitFor()
    })
  })
}
