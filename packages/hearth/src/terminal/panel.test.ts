import { describe, expect, it } from 'vitest'
import { renderPanel, type PanelFacts } from './panel.ts'

const facts: PanelFacts = {
  baseUrl: 'http://127.0.0.1:8080/openai/v1',
  networkUrl: undefined,
  consoleUrl: 'http://127.0.0.1:8080/',
  newKey: undefined,
  isOwnerLink: false,
  models: ['tiny'],
  dataFolder: 'data',
  command: 'hearth',
  commandNote: undefined,
  gateways: [1],
}

describe('the panel', () => {
  it('shows a new key, also in the curl command', () => {
    const panel = renderPanel({ ...facts, newKey: 'sk-hearth-x' })
    expect(panel).toContain('API key    sk-hearth-x')
    expect(panel).toContain(
      `curl http://127.0.0.1:8080/openai/v1/chat/completions -H "Authorization: Bearer sk-hearth-x"`,
    )
  })

  it('shows the processes of gateways that share the address', () => {
    expect(renderPanel({ ...facts, gateways: [11, 12, 13] })).toContain(
      'Gateways   3 share this address (process IDs 11, 12, 13)',
    )
    expect(renderPanel(facts)).not.toContain('share this address')
  })

  it('shows the address for other machines, or how to open it to them', () => {
    const networkUrl = 'http://192.168.1.20:8080/openai/v1'
    expect(renderPanel({ ...facts, networkUrl })).toContain(`${networkUrl} (from other machines)`)
    expect(renderPanel(facts)).toContain('start with HOST=0.0.0.0')
  })

  it('does not know an old key', () => {
    expect(renderPanel(facts)).toContain('shown once at first start')
    expect(renderPanel(facts)).toContain('Bearer YOUR_KEY')
  })

  it('says what the starter model is, and how to serve a better one', () => {
    const panel = renderPanel({ ...facts, models: ['smollm2-135m-instruct'] })
    expect(panel).toContain('135M parameters, for testing')
    expect(panel).toContain('Serve a better one: Models → Add a model in the console')
    expect(panel).toContain('hearth device models recommend')
    expect(renderPanel(facts)).not.toContain('for testing')
    expect(renderPanel({ ...facts, models: ['smollm2-135m-instruct', 'tiny'] })).not.toContain('for testing')
  })

  it('offers no curl command while no model is served', () => {
    expect(renderPanel({ ...facts, models: [] })).not.toContain('curl')
  })
})
