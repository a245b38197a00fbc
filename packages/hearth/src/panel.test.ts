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
}

describe('the panel', () => {
  it('[R2a] shows a new key, also in the curl command', () => {
    const panel = renderPanel({ ...facts, newKey: 'sk-hearth-x' })
    expect(panel).toContain('API key    sk-hearth-x')
    expect(panel).toContain(
      `curl http://127.0.0.1:8080/openai/v1/chat/completions -H "Authorization: Bearer sk-hearth-x"`,
    )
  })

  it('[R2e] shows the address for other machines, or how to open it to them', () => {
    const networkUrl = 'http://192.168.1.20:8080/openai/v1'
    expect(renderPanel({ ...facts, networkUrl })).toContain(`${networkUrl} (from other machines)`)
    expect(renderPanel(facts)).toContain('start with HOST=0.0.0.0')
  })

  it('[R2a] does not know an old key', () => {
    expect(renderPanel(facts)).toContain('shown once at first start')
    expect(renderPanel(facts)).toContain('Bearer YOUR_KEY')
  })

  it('[R2c] offers no curl command while no model is served', () => {
    expect(renderPanel({ ...facts, models: [] })).not.toContain('curl')
  })
})
